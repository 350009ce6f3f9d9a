"""Checks rendered manifests against the schemas of their kinds, unknown fields refused.

Kubernetes' own kinds against each of the versions given; kinds of cert-manager, the Prometheus operator and KEDA against
models that were made from their definitions. A kind that is none of these is a failure: nothing goes by unchecked.

Usage: kubernetes.py VERSION[,VERSION]... FILE...
"""

import os
import sys

import kubernetes_validate
import pydantic
import yaml
from cloudcoil.models.cert_manager import v1 as cert_manager
from cloudcoil.models.keda import v1alpha1 as keda
from cloudcoil.models.prometheus_operator import v1 as prometheus_operator

CUSTOM_KINDS = {
    ("cert-manager.io/v1", "Certificate"): cert_manager.Certificate,
    ("cert-manager.io/v1", "Issuer"): cert_manager.Issuer,
    ("keda.sh/v1alpha1", "ScaledObject"): keda.ScaledObject,
    ("monitoring.coreos.com/v1", "ServiceMonitor"): prometheus_operator.ServiceMonitor,
}


def custom_faults(model, document):
    """The models pass over a field that they do not know: it is then missing from what they give back."""
    try:
        read = model.model_validate(document)
    except pydantic.ValidationError as error:
        return [str(error)]
    returned = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return lost(document, returned, "")


def lost(given, returned, path):
    if isinstance(given, dict) and isinstance(returned, dict):
        unknown = [f"{path}/{key} is no field that this kind has" for key in given if key not in returned]
        return unknown + [fault for key in given if key in returned for fault in lost(given[key], returned[key], f"{path}/{key}")]
    if isinstance(given, list) and isinstance(returned, list):
        return [fault for index, pair in enumerate(zip(given, returned)) for fault in lost(*pair, f"{path}/{index}")]
    return []


def faults(document, versions):
    kind = (document.get("apiVersion"), document.get("kind"))
    if kind in CUSTOM_KINDS:
        return custom_faults(CUSTOM_KINDS[kind], document)
    found = []
    for version in versions:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.SchemaNotFoundError:
            found.append(f"Kubernetes {version} has no such kind, and none is known here")
        except kubernetes_validate.ValidationError as error:
            found.append(f"Kubernetes {version}: {'/'.join(map(str, error.path))}: {error.message}")
    return found


def main(versions, *files):
    failed = not files
    for file in files:
        with open(file, encoding="utf-8") as text:
            documents = [document for document in yaml.safe_load_all(text) if document]
        if not documents:
            print(f"{file} has no manifest")
            failed = True
        for document in documents:
            for fault in faults(document, versions.split(",")):
                print(f"{os.path.basename(file)}: {document.get('kind')} {document.get('metadata', {}).get('name')}: {fault}")
                failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
