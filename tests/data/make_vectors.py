"""Make the project's own conformance vectors, in the layout of the ONNX node tests.

usage: python make_vectors.py [--check] [--cross-check]

Writes vectors/test_*/{model.onnx,test_data_set_0/{input_N,output_N}.pb} beside this file; the
same bytes on every run. `--check` only compares with what is there. `--cross-check` also runs
the models on other engines and lists where those disagree (see cross_check.py).

The expected outputs come from oracle.py. Which versions an operator has, and with which dtypes,
is read from onnx-reductions.json.

Needs: onnx, mpmath.
"""

import argparse
import itertools
import json
import math
import random
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import onnx
from onnx import AttributeProto, TensorProto, helper

from oracle import (INF, NAN, TYPES, Float, Integer, map_element, position, reduce_set,
                    reduced_sets)
from vector_data import float_rows, integer_rows, noop_values, sample, well_conditioned

HERE = Path(__file__).resolve().parent
VECTORS = HERE / "vectors"
FACTS = json.loads((HERE / "onnx-reductions.json").read_text(encoding="utf-8"))

OPS = {"ReduceSum": "reduce_sum", "ReduceMean": "reduce_mean", "ReduceProd": "reduce_prod",
       "ReduceL1": "reduce_l1", "ReduceLogSumExp": "reduce_log_sum_exp", "ReduceL2": "reduce_l2",
       "ReduceSumSquare": "reduce_sum_square", "ReduceLogSum": "reduce_log_sum",
       "ReduceMax": "reduce_max", "ReduceMin": "reduce_min", "ArgMax": "argmax",
       "ArgMin": "argmin"}
ARG_OPS = ("ArgMax", "ArgMin")
# The opsets in use, each with the IR version of the onnx release that brought it.
IR_VERSIONS = {1: 3, 11: 6, 12: 7, 13: 7, 17: 8, 18: 8, 20: 9, 27: 13, 28: 14}


def opsets_of(op):
    """The opsets in use for an operator: 20 only where it brought a version."""
    return [n for n in IR_VERSIONS if n != 20 or any(v["since"] == 20 for v in FACTS[op])]


def dtypes_of(op, opset):
    """The dtypes that an operator allows at an opset."""
    version = [v for v in FACTS[op] if v["since"] <= opset][-1]
    return [dtype for dtype in TYPES.values() if dtype.name in version["dtypes"]]


# --- Cases ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One test. `carrier` is how the axes reach the node: absent, blank (an input named ""),
    attribute, initializer, input, or axis (the attribute of ArgMax and ArgMin, 0 where absent);
    `None` for an attribute means that it is not written."""
    label: str
    op: str
    opset: int
    dtype: Integer | Float
    shape: tuple
    carrier: str = "absent"
    axes: tuple = ()
    keepdims: int | None = None
    noop: int | None = None
    values: tuple | None = None
    last: int | None = None

    @property
    def name(self):
        return f"test_{OPS[self.op]}_opset{self.opset}_{self.dtype.name}_{self.label}"

    @property
    def reduced_axes(self):
        rank = len(self.shape)
        if not self.axes and self.op in ARG_OPS:
            return {0}
        if not self.axes:
            return set() if self.noop else set(range(rank))
        return {axis % rank for axis in self.axes}

    @property
    def output_dtype(self):
        return TYPES["int64"] if self.op in ARG_OPS else self.dtype

    @property
    def data(self):
        return draw(self) if self.values is None else list(self.values)

    def expected(self, data):
        """The shape and the elements of the output."""
        if self.noop and not self.axes:
            return self.shape, [map_element(self.op, self.dtype, x) for x in data]
        axes, keep = self.reduced_axes, self.keepdims != 0
        shape = [1 if axis in axes else size for axis, size in enumerate(self.shape)
                 if keep or axis not in axes]
        sets = reduced_sets(self.shape, axes, data)
        if self.op in ARG_OPS:
            return tuple(shape), [position(self.op, values, self.last) for values in sets]
        return tuple(shape), [reduce_set(self.op, self.dtype, values) for values in sets]


def draw(case):
    """Ordinary data for a case, seeded by its name; drawn again until it is well-conditioned."""
    rng = random.Random(case.name)
    while True:
        data = [sample(case.op, case.dtype, rng) for _ in range(math.prod(case.shape))]
        sets = reduced_sets(case.shape, case.reduced_axes, data)
        if all(not s or well_conditioned(case.op, case.dtype, s) for s in sets):
            return data


# The geometries that the operator-version-dtype matrix goes round: label, shape, carrier, axes,
# keepdims; those of axes as an attribute, of axes as an input, of a single axis.
GEOMETRIES = {
    "attribute": [
        ("default", (3, 4), "absent", (), None),
        ("last", (4, 37), "attribute", (1,), 0),
        ("scalar", (), "absent", (), 0),
        ("first", (37, 5), "attribute", (0,), 1),
        ("middle", (3, 4, 5), "attribute", (1,), None),
        ("negative", (3, 4, 5), "attribute", (-1,), 0),
        ("empty_list", (5, 3), "attribute", (), 0),
        ("unsorted", (2, 3, 4, 5), "attribute", (3, 0), 1),
        ("zero_kept", (0, 4), "attribute", (1,), 1),
        ("mixed_signs", (2, 3, 4, 3), "attribute", (-1, 1), 0),
        ("vector", (131,), "attribute", (0,), 1),
        ("all", (2, 3, 2, 2, 3), "attribute", (4, 0, 2, 1, 3), 0),
        ("rank5", (2, 3, 1, 2, 5), "attribute", (-4, 2, -1), None),
    ],
    "input": [
        ("default", (3, 4), "absent", (), None),
        ("blank", (2, 3, 4), "blank", (), 0),
        ("last", (4, 37), "initializer", (1,), 0),
        ("empty_initializer", (67,), "initializer", (), 1),
        ("first", (37, 5), "input", (-2,), 1),
        ("empty_input", (2, 2, 3), "input", (), 0),
        ("unsorted", (2, 3, 4, 5), "input", (3, 0), 0),
        ("rank5", (2, 3, 1, 2, 5), "initializer", (-1, 2, -4), None),
    ],
    None: [
        ("default", (3, 4), "absent", (), None),
        ("last", (4, 37), "axis", (1,), 0),
        ("first", (37, 5), "axis", (0,), 1),
        ("middle", (3, 4, 5), "axis", (1,), None),
        ("negative", (3, 4, 5), "axis", (-1,), 0),
        ("vector", (131,), "absent", (), 0),
        ("zero_kept", (0, 4), "axis", (-1,), 1),
        ("rank5", (2, 3, 1, 2, 5), "axis", (-4,), None),
        ("single", (4, 1, 3), "axis", (-2,), 0),
    ],
}
# Rank zero and sizes of zero, for every operator: label, opset, dtype, shape, carrier, axes,
# keepdims.
EDGES = [
    ("scalar", 18, "float", (), "absent", (), None),
    ("scalar_empty_axes", 18, "int64", (), "input", (), 0),
    ("empty_set", 18, "float", (2, 0, 3), "initializer", (-2,), 1),
    ("empty_set_all", 18, "bfloat16", (0, 3), "absent", (), 0),
    ("empty_set", 11, "int32", (4, 0), "attribute", (1,), 0),
    ("zero_kept", 18, "double", (2, 0, 3), "input", (-1,), 0),
    ("all", 18, "uint64", (2, 3, 2), "input", (2, -3, 1), 1),
]
# noop_with_empty_axes = 1, for every operator: label, dtype, carrier, axes, keepdims.
NOOPS = [
    ("noop_absent", "float", "absent", (), None),
    ("noop_blank", "int64", "blank", (), 0),
    ("noop_empty_initializer", "float16", "initializer", (), 1),
    ("noop_empty_input", "uint32", "input", (), 0),
    ("noop_with_axes", "int32", "initializer", (-1,), 1),
]


def matrix_cases(op):
    """Every version with every dtype, going round the version's opsets and geometries."""
    start = 3 * list(OPS).index(op)  # so that the operators do not all pair them alike
    rounds = {source: itertools.islice(itertools.cycle(rows), start, None)
              for source, rows in GEOMETRIES.items()}
    for version in FACTS[op]:
        opsets = [n for n in opsets_of(op) if version["since"] <= n <= (version["until"] or n)]
        for dtype, opset in zip(version["dtypes"], itertools.cycle(opsets)):
            label, *geometry = next(rounds[axes_source(version)])
            yield Case(label, op, opset, TYPES[dtype], *geometry)


def axes_source(version):
    source = version["derived"]["axes_source"]
    return source if source in GEOMETRIES else None


def edge_cases(op):
    for label, opset, dtype, *geometry in EDGES:
        if op == "ReduceMean" and label == "empty_set" and not TYPES[dtype].is_float:
            continue  # an error, so there is no output to expect
        yield Case(label, op, opset, TYPES[dtype], *geometry)


def noop_cases(op):
    for label, name, carrier, axes, keepdims in NOOPS:
        dtype = TYPES[name]
        values = noop_values(op, dtype)
        yield Case(label, op, 18, dtype, (2, 3), carrier, axes, keepdims, 1, values)


def special_cases(op):
    """The special sets as the rows of a matrix, or, for every other dtype, as its columns."""
    for number, dtype in enumerate(dtypes_of(op, 18)):
        yield special_case(op, 18, dtype, number % 2)


def special_case(op, opset, dtype, turned, last=None):
    label, rows = ("special", float_rows) if dtype.is_float else ("limits", integer_rows)
    sets = rows(op, dtype)
    shape, axes = (len(sets), 3), (1,)
    if turned:
        sets, shape, axes = list(zip(*sets)), shape[::-1], (0,)
    values = tuple(itertools.chain.from_iterable(sets))
    carrier = "axis" if op in ARG_OPS else "initializer"
    label += {None: "", 0: "_first", 1: "_last"}[last]
    return Case(label, op, opset, dtype, shape, carrier, axes, 0, values=values, last=last)


def bool_cases(op):
    """Any and all, from version 20 on: every set of three, empty sets, the no-op."""
    dtype = TYPES["bool"]
    yield special_case(op, 20, dtype, False)
    yield Case("empty_set", op, 20, dtype, (2, 0, 3), "initializer", (1,), 0)
    yield Case("empty_set_all", op, 27, dtype, (0,), "absent", (), None)
    yield Case("scalar", op, 28, dtype, (), "absent", (), 1)
    yield Case("noop", op, 28, dtype, (2, 3), "input", (), 0, 1, (0, 1, 1, 0, 0, 1))
    yield Case("long", op, 20, dtype, (70, 2), "input", (0,), 0,
               values=((0, 1) * 69 + (1, 0)) if op == "ReduceMax" else ((1, 0) * 69 + (0, 1)))


def position_cases(op):
    """Ties, NaN and limits with each `select_last_index`, for every dtype; far-apart ties."""
    for number, dtype in enumerate(dtypes_of(op, 18)):
        for last in (0, 1):
            yield special_case(op, (13, 18)[last], dtype, (number + last) % 2, last)
    for last, name in itertools.product((0, 1), ("float", "uint8")):
        values = [1 + (i * 7) % 5 for i in range(600)]
        for i in (77, 300, 544):
            values[i] = 9 if op == "ArgMax" else 0
        values = tuple(map(float, values)) if TYPES[name].is_float else tuple(values)
        yield Case(f"far_{('first', 'last')[last]}", op, 12, TYPES[name], (600,), "absent", (),
                   0, values=values, last=last)
    nans = tuple(NAN if i in (150, 151, 280) else float(i % 13) for i in range(300))
    yield Case("far_nan_first", op, 13, TYPES["float"], (300,), "axis", (0,), 1, values=nans, last=0)
    yield Case("far_nan_last", op, 13, TYPES["float16"], (300,), "axis", (0,), 1, values=nans, last=1)
    yield Case("zero_kept", op, 18, TYPES["double"], (2, 0, 3), "axis", (-1,), 0)


def extra_cases():
    """Long sets that a narrow accumulator gets wrong, and special values in a vector."""
    for label, op, dtype, shape, values in [
            ("long", "ReduceSum", "float16", (3000, 2), (1.0,) * 6000),
            ("long", "ReduceMean", "float16", (1000, 1), (100.0,) * 1000),
            ("long", "ReduceL1", "bfloat16", (300, 2), (-1.0,) * 600),
            ("long", "ReduceLogSumExp", "int32", (1001,), (0,) + (-1,) * 1000),
            ("vector_nan", "ReduceLogSumExp", "float", (3,), (-INF, NAN, INF)),
            ("long", "ReduceL2", "float16", (3000, 2), (2.0,) * 6000),
            ("long", "ReduceSumSquare", "bfloat16", (300, 2), (-1.0,) * 600),
            ("long", "ReduceLogSum", "float16", (3000, 1), (100.0,) * 3000),
            ("long", "ReduceLogSum", "int32", (1000,), (2 ** 31 - 1,) * 1000),
            ("vector_nan", "ReduceMax", "float", (300,), (1.0,) * 200 + (NAN,) + (2.0,) * 99),
            ("vector_nan", "ReduceMin", "float16", (300,), (1.0,) * 200 + (NAN,) + (0.0,) * 99)]:
        yield Case(label, op, 18, TYPES[dtype], shape, "initializer", (0,), 0, values=values)


def all_cases():
    kinds = (matrix_cases, edge_cases, noop_cases, special_cases)
    arg_kinds = (matrix_cases, position_cases)
    cases = [case for op in OPS for kind in (arg_kinds if op in ARG_OPS else kinds)
             for case in kind(op)]
    cases += [case for op in ("ReduceMax", "ReduceMin") for case in bool_cases(op)]
    cases += extra_cases()
    assert len({case.name for case in cases}) == len(cases)
    return cases


# --- Files ----------------------------------------------------------------------------------


def tensor(name, dtype, shape, values):
    raw = b"".join(map(dtype.encode, values))
    return helper.make_tensor(name, onnx_type(dtype), shape, raw, raw=True)


def onnx_type(dtype):
    return TensorProto.DataType.Value(dtype.name.upper())


def make_model(case, out_shape):
    node = helper.make_node(case.op, ["data"], ["reduced"])
    inputs = [helper.make_tensor_value_info("data", onnx_type(case.dtype), case.shape)]
    initializers = []
    if case.carrier == "attribute":
        node.attribute.append(
            helper.make_attribute("axes", list(case.axes), attr_type=AttributeProto.INTS))
    elif case.carrier == "axis":
        node.attribute.append(helper.make_attribute("axis", case.axes[0]))
    elif case.carrier != "absent":
        node.input.append("" if case.carrier == "blank" else "axes")
    if case.carrier == "initializer":
        initializers = [helper.make_tensor("axes", TensorProto.INT64, [len(case.axes)], case.axes)]
    if case.carrier == "input":
        inputs.append(helper.make_tensor_value_info("axes", TensorProto.INT64, [len(case.axes)]))
    for name, value in (("keepdims", case.keepdims), ("noop_with_empty_axes", case.noop),
                        ("select_last_index", case.last)):
        if value is not None:
            node.attribute.append(helper.make_attribute(name, value))
    output = helper.make_tensor_value_info("reduced", onnx_type(case.output_dtype), out_shape)
    graph = helper.make_graph([node], case.name, inputs, [output], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", case.opset)],
                              ir_version=IR_VERSIONS[case.opset], producer_name="reduce-tests")
    onnx.checker.check_model(model, full_check=True)
    return model


def make_files(case):
    """The files of one test: path below the folder of the vectors -> content."""
    data = case.data
    out_shape, expected = case.expected(data)
    tensors = {"input_0": tensor("data", case.dtype, case.shape, data),
               "output_0": tensor("reduced", case.output_dtype, out_shape, expected)}
    if case.carrier == "input":
        tensors["input_1"] = tensor("axes", TYPES["int64"], (len(case.axes),), case.axes)
    files = {f"{case.name}/test_data_set_0/{name}.pb": proto.SerializeToString(deterministic=True)
             for name, proto in tensors.items()}
    model = make_model(case, out_shape)
    return {f"{case.name}/model.onnx": model.SerializeToString(deterministic=True), **files}


def check_coverage(cases):
    """Nothing that the tables promise got lost."""
    for op in OPS:
        own = [case for case in cases if case.op == op]
        for version in FACTS[op]:
            opsets = range(version["since"], (version["until"] or max(IR_VERSIONS)) + 1)
            dtypes = {case.dtype.name for case in own if case.opset in opsets}
            assert dtypes >= set(version["dtypes"]), (op, version["since"])
        assert {case.opset for case in own} == set(opsets_of(op)), op
        geometries = {(case.shape, case.carrier, case.axes) for case in own}
        for source in {axes_source(version) for version in FACTS[op]}:
            for row in GEOMETRIES[source]:
                assert row[1:4] in geometries, (op, row)


def write(files):
    for folder in VECTORS.glob("test_*"):
        shutil.rmtree(folder)
    for path, content in files.items():
        (VECTORS / path).parent.mkdir(parents=True, exist_ok=True)
        (VECTORS / path).write_bytes(content)


def check(files):
    """Stops with the names of the files that are missing, different or too many."""
    found = {path.relative_to(VECTORS).as_posix(): path.read_bytes()
             for path in VECTORS.glob("test_*/**/*.*")}
    differing = sorted(path for path in files.keys() | found.keys()
                       if files.get(path) != found.get(path))
    if differing:
        sys.exit("not as this script makes them:\n" + "\n".join(differing))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--cross-check", action="store_true", help="ask other engines as well")
    arguments = parser.parse_args()
    cases = all_cases()
    check_coverage(cases)
    files = {path: content for case in cases for path, content in make_files(case).items()}
    (check if arguments.check else write)(files)
    print(f"{len(cases)} tests, {len(files)} files, {sum(map(len, files.values()))} bytes")
    if arguments.cross_check:
        import cross_check
        cross_check.report(VECTORS)


if __name__ == "__main__":
    main()
