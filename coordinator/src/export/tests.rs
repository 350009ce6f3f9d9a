//! The forms of a table: the same rows in each, and what is no table or no sequence.

use serde_json::{Value, json};

use super::*;

fn header(what: Exported, columns: &[(&str, ColumnType)]) -> Header {
    Header {
        sweep: "h1-0a1b2c3d4e5f".into(),
        state: "complete".into(),
        manifest: "name = \"h1\"\n".into(),
        fingerprint: Some("44b1d09a12a936a6f05d19e1cb09afc2".into()),
        what,
        columns: columns.iter().map(|(name, of)| Column { name: (*name).to_owned(), of: *of }).collect(),
    }
}

fn table() -> (Header, Vec<Vec<Value>>) {
    let columns = [("claim", ColumnType::Text), ("AB", ColumnType::Integer), ("confirmed", ColumnType::Boolean)];
    let rows = [json!(["a, \"b\"", 5, true]), json!(["c\nd", -1, null]), json!([null, null, false])];
    (header(Exported::Counterexamples, &columns), rows.map(|row| row.as_array().unwrap().clone()).to_vec())
}

fn write(to: &mut dyn Sink, (header, rows): &(Header, Vec<Vec<Value>>)) -> Result<(), ExportError> {
    to.begin(header)?;
    rows.iter().try_for_each(|row| to.row(row.clone()))?;
    to.end()
}

/// Keeps what goes through it.
#[derive(Default)]
struct Kept(Option<Header>, Vec<Vec<Value>>, bool);

impl Sink for Kept {
    fn begin(&mut self, header: &Header) -> Result<(), ExportError> {
        self.0 = Some(header.clone());
        Ok(())
    }

    fn row(&mut self, cells: Vec<Value>) -> Result<(), ExportError> {
        self.1.push(cells);
        Ok(())
    }

    fn end(&mut self) -> Result<(), ExportError> {
        self.2 = true;
        Ok(())
    }
}

#[test]
fn csv_quotes_what_it_must_and_leaves_empty_cells_empty() {
    let mut bytes = Vec::new();
    write(&mut Csv::new(&mut bytes), &table()).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "claim,AB,confirmed\n\"a, \"\"b\"\"\",5,true\n\"c\nd\",-1,\n,,false\n");
}

#[test]
fn each_json_line_names_its_cells() {
    let mut bytes = Vec::new();
    write(&mut JsonLines::new(&mut bytes), &table()).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0], json!({ "claim": "a, \"b\"", "AB": 5, "confirmed": true }));
    assert_eq!(rows[2], json!({ "claim": null, "AB": null, "confirmed": false }));
    assert!(text.starts_with("{\"claim\":"), "in the order of the columns");
}

#[test]
fn a_table_comes_over_the_wire_as_it_was_however_it_is_cut() {
    let mut bytes = Vec::new();
    write(&mut LineWriter::new(&mut bytes), &table()).unwrap();
    for size in [1, 2, 7, 1_000] {
        let mut kept = Kept::default();
        let mut reader = LineReader::new(&mut kept);
        bytes.chunks(size).for_each(|chunk| reader.take(chunk).unwrap());
        reader.finish().unwrap();
        assert_eq!((kept.0, kept.1, kept.2), (Some(table().0), table().1, true), "{size}");
    }
}

#[test]
fn a_table_that_breaks_off_or_is_none_is_not_taken_for_one() {
    let mut whole = Vec::new();
    write(&mut LineWriter::new(&mut whole), &table()).unwrap();
    let read = |bytes: &[u8]| {
        let mut kept = Kept::default();
        let mut reader = LineReader::new(&mut kept);
        reader.take(bytes).and_then(|()| reader.finish()).map_err(|error| error.to_string())
    };
    assert_eq!(read(&whole), Ok(()));
    for end in 0..whole.len() {
        assert!(read(&whole[..end]).unwrap_err().contains("breaks off"), "{end}");
    }
    let behind = [&whole[..], b"[1,2,3]\n"].concat();
    assert!(read(&behind).unwrap_err().contains("behind the end"));
    let header = whole.split_inclusive(|byte| *byte == b'\n').next().unwrap();
    assert!(read(&[header, b"[1]\n"].concat()).unwrap_err().contains("a row has 1 cells, and there are 3 columns"));
    assert!(read(&[header, b"{}\n"].concat()).unwrap_err().contains("not understood"));
    assert!(read(b"{}\n").unwrap_err().contains("not understood"));
    assert!(read(&vec![b'['; (1 << 24) + 1]).unwrap_err().contains("too long"));
}

fn sequence(rows: &[(i64, i64, &str)]) -> Result<String, String> {
    let columns = [("a", ColumnType::Integer), ("heap", ColumnType::Integer), ("value", ColumnType::Text)];
    let rows = rows.iter().map(|(a, heap, value)| vec![json!(a), json!(heap), json!(value)]).collect();
    let mut bytes = Vec::new();
    let written = write(&mut Bfile::new(&mut bytes), &(header(Exported::Positions, &columns), rows));
    written.map(|()| String::from_utf8(bytes).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn positions_of_one_ruleset_are_a_sequence() {
    assert_eq!(sequence(&[(1, 0, "0"), (1, 1, "*"), (1, 2, "*2"), (1, 3, "-1")]).unwrap(), "0 0\n1 1\n2 2\n3 -1\n");
    for (rows, expected) in [
        (&[(1, 0, "0"), (2, 1, "0")][..], "more than one number changes"),
        (&[(1, 0, "0"), (1, 2, "0")], "does not go up by 1"),
        (&[(1, 0, "0"), (1, 1, "0"), (2, 1, "0")], "does not go up by 1"),
        (&[(1, 0, "0"), (1, 1, "{1|*}")], "the value at 1 is '{1|*}'"),
        (&[(1, 0, "0")], "fewer than two"),
        (&[], "fewer than two"),
    ] {
        let sentence = sequence(rows).unwrap_err();
        assert!(sentence.contains(expected), "{sentence}");
    }
    let mut bytes = Vec::new();
    assert!(write(&mut Bfile::new(&mut bytes), &table()).unwrap_err().to_string().contains("counterexamples are no sequence"));
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_has_typed_columns_all_rows_and_the_manifest() {
    use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
    use ::parquet::record::Field;

    let mut file = tempfile::tempfile().unwrap();
    let (header, mut rows) = table();
    // More than are written together.
    rows.extend((0..70_000).map(|number| vec![json!(format!("row {number}")), json!(number), Value::Null]));
    write(&mut ParquetFile::new(&mut file), &(header.clone(), rows.clone())).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let metadata = reader.metadata().file_metadata();
    let about: Vec<(String, Option<String>)> =
        metadata.key_value_metadata().unwrap().iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect();
    assert!(about.contains(&("refute.manifest".into(), Some(header.manifest.clone()))));
    assert!(about.contains(&("refute.sweep".into(), Some(header.sweep.clone()))));
    assert!(reader.num_row_groups() > 1);
    let cell = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Long(value) => json!(value),
        Field::Str(value) => json!(value),
        other => panic!("{other}"),
    };
    let found = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| row.unwrap().get_column_iter().map(|(name, field)| (name.clone(), cell(field))).collect::<Vec<_>>());
    let named = |row: &Vec<Value>| header.columns.iter().map(|column| column.name.clone()).zip(row.iter().cloned()).collect();
    assert!(found.eq(rows.iter().map(named).collect::<Vec<Vec<(String, Value)>>>()));
}

#[cfg(feature = "parquet")]
#[test]
fn a_cell_of_another_type_is_not_written_as_nothing() {
    let columns = [("AB", ColumnType::Integer)];
    let mut bytes = Vec::new();
    let written = write(&mut ParquetFile::new(&mut bytes), &(header(Exported::Positions, &columns), vec![vec![json!("x")]]));
    assert!(written.unwrap_err().to_string().contains("is not what column AB holds"));
}
