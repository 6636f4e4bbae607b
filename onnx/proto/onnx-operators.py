#!/usr/bin/env python3
"""Writes onnx-operators.json: every version of every operator of the standard domain.

usage: python onnx-operators.py onnx-operators.json     (needs: pip install onnx)

The table has, of each version, what a reader of models holds a node against:
  since        the first opset of the version
  deprecated   where it is
  in, out      "name:type", the type by the name of its variable or by that of its set; behind the name stands
               ? of what may be left out, + or * of one or more, or any number, and ~ if these differ in type
  attr         name -> [kind], [kind, default]; behind the kind stands ! if it is required
  types        variable -> the number of its set
  least        the number of inputs that are needed, where `in` does not say it
`sets` lists the sets of types, `types` the names of all of them, without the word `tensor`.
"""
import json
import sys

import onnx
from onnx import AttributeProto, defs, helper


def short(name):
    return name.replace("tensor(", "").replace(")", "", name.count("tensor("))


def enum_name(value):
    return str(value).rsplit(".", 1)[-1]


def default(attribute):
    value = attribute.default_value
    if value is None or value.type == AttributeProto.UNDEFINED:
        return []
    value = helper.get_attribute_value(value)
    text = lambda value: value.decode() if isinstance(value, bytes) else value
    return [[text(one) for one in value] if isinstance(value, list) else text(value)]


def least(parameters):
    """How many have to be given, by what the table says of each."""
    needed = [index for index, parameter in enumerate(parameters)
              if enum_name(parameter.option) == "Single"
              or enum_name(parameter.option) == "Variadic" and parameter.min_arity]
    return needed[-1] + 1 if needed else 0


class Table:
    def __init__(self):
        self.types, self.sets = [], []

    def set(self, names):
        names = sorted({short(name) for name in names})
        self.types += [name for name in names if name not in self.types]
        if names not in self.sets:
            self.sets.append(names)
        return self.sets.index(names)

    def formals(self, parameters, variables):
        written = []
        for parameter in parameters:
            option = enum_name(parameter.option)
            mark = {"Single": "", "Optional": "?"}.get(option)
            if mark is None:
                mark = "+" if parameter.min_arity else "*"
            mark += "" if parameter.is_homogeneous else "~"
            kind = parameter.type_str
            if kind not in variables:
                variables[kind] = self.set(parameter.types)
            written.append(f"{parameter.name}{mark}:{kind}")
        return written

    def version(self, schema):
        variables = {c.type_param_str: self.set(c.allowed_type_strs) for c in schema.type_constraints}
        version = {"since": schema.since_version}
        if schema.deprecated:
            version["deprecated"] = True
        version["in"] = self.formals(schema.inputs, variables)
        version["out"] = self.formals(schema.outputs, variables)
        attributes = {}
        for name, attribute in sorted(schema.attributes.items()):
            kind = enum_name(attribute.type).lower() + ("!" if attribute.required else "")
            attributes[name] = [kind, *default(attribute)]
        version["attr"] = attributes
        version["types"] = variables
        if schema.min_input != least(schema.inputs):
            version["least"] = schema.min_input
        assert schema.min_output == least(schema.outputs), schema
        return version


def main(path):
    table, operators = Table(), {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            operators.setdefault(schema.name, []).append(schema)
    for name, versions in operators.items():
        versions.sort(key=lambda schema: schema.since_version)
        operators[name] = [table.version(schema) for schema in versions]
    compact = lambda value: json.dumps(value, separators=(",", ":"))
    lines = [f'"{name}": [\n' + ",\n".join(compact(v) for v in operators[name]) + "]" for name in sorted(operators)]
    with open(path, "w") as out:
        out.write(f'{{"onnx": "{onnx.__version__}", "opset": {defs.onnx_opset_version()},\n')
        out.write(f'"types": {compact(table.types)},\n"sets": [\n')
        out.write(",\n".join(compact(types) for types in table.sets))
        out.write('],\n"operators": {\n' + ",\n".join(lines) + "}}\n")
    count = sum(map(len, operators.values()))
    print(f"wrote {path}: {len(operators)} operators in {count} versions")


if __name__ == "__main__":
    main(sys.argv[1])
