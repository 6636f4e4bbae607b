"""Trim the full ONNX schema facts to the fields that the tests compare with.

usage: python trim_facts.py SOURCE DESTINATION

SOURCE maps each operator to its versions, each with everything the standard says; the
destination keeps the same shape and drops documentation and function bodies.
A list or record of plain values takes one line, so the file stays small and its diffs readable.
"""

import json
import sys
from pathlib import Path

VERSION_FIELDS = ("since", "until", "dtypes", "attributes", "min_input", "max_input",
                  "inputs", "outputs", "derived")
ATTRIBUTE_FIELDS = ("type", "default", "required")
PORT_FIELDS = ("name", "type", "dtypes", "option")


def pick(record, fields):
    """The named fields of a record, in that order; a missing one is an error."""
    return {field: record[field] for field in fields}


def trim_version(version):
    trimmed = pick(version, VERSION_FIELDS)
    trimmed["attributes"] = {name: pick(attribute, ATTRIBUTE_FIELDS)
                             for name, attribute in version["attributes"].items()}
    for side in ("inputs", "outputs"):
        trimmed[side] = [pick(port, PORT_FIELDS) for port in version[side]]
    return trimmed


def layout(value):
    """JSON text; a list or record of plain values takes one line, any other one line an entry."""
    entries = list(value.values()) if isinstance(value, dict) else value
    if not any(isinstance(entry, (dict, list)) for entry in entries):
        return json.dumps(value)
    lines = [layout(entry) if isinstance(entry, (dict, list)) else json.dumps(entry)
             for entry in entries]
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {line}" for key, line in zip(value, lines)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    body = ",\n".join(lines).replace("\n", "\n ")
    return f"{opening}\n {body}\n{closing}"


def main(source, destination):
    facts = json.loads(Path(source).read_text(encoding="utf-8"))
    trimmed = {op: [trim_version(version) for version in versions]
               for op, versions in facts.items()}
    text = layout(trimmed) + "\n"
    assert json.loads(text) == trimmed
    Path(destination).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
