"""Runs the vectors on other engines and lists where those disagree with the expected outputs.

For information only: the engines are not the oracle. Each known disagreement of the versions
tried (onnx 1.23, onnxruntime 1.31) has its reason in the table below; anything else is printed
as unexplained and wants a look. Called by `make_vectors.py --cross-check`.

Needs: onnx; onnxruntime where installed.
"""

import importlib.util
import math
import warnings
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

import onnx
from onnx import TensorProto, numpy_helper

from oracle import TYPES, Float, Integer


@dataclass(frozen=True)
class Vector:
    """One test as its files have it."""
    name: str
    model: onnx.ModelProto
    inputs: dict
    expected: object

    @property
    def op(self):
        return self.model.graph.node[0].op_type

    @property
    def opset(self):
        return self.model.opset_import[0].version

    @property
    def dtype(self) -> Integer | Float:
        element = self.model.graph.output[0].type.tensor_type.elem_type
        return TYPES[TensorProto.DataType.Name(element).lower()]

    @property
    def integer(self):
        return not self.dtype.is_float

    @property
    def log_sum_exp(self):
        return self.op == "ReduceLogSumExp"


BODY_ONLY = ("float16", "uint32", "uint64")
# Engine -> (which vectors, why it disagrees there); the first that holds is the reason given.
REASONS = {
    "reference": [
        (lambda v: v.log_sum_exp and v.integer, "raises TypeError for integer LogSumExp"),
        (lambda v: v.log_sum_exp and v.inputs["data"].shape == (), "raises TypeError on rank 0"),
        (lambda v: v.log_sum_exp, "NaN for a set of nothing but infinities"),
        (lambda v: v.integer and v.op == "ReduceLogSum", "raises TypeError for integer LogSum"),
        (lambda v: v.integer and v.op == "ReduceL2", "squares wrap before the root"),
        (lambda v: v.integer and v.op == "ReduceSumSquare", "32-bit squares come out as 64-bit"),
        (lambda v: v.integer and v.op == "ReduceMean", "sum wraps, then is divided in double"),
        (lambda v: v.dtype.bits == 16, "accumulates in the 16-bit type"),
    ],
    "onnxruntime": [
        (lambda v: v.opset > 26, "refuses opset 27 and above"),
        (lambda v: v.opset < 6 and v.dtype.name == "float16", "refuses float16 below opset 6"),
        (lambda v: v.log_sum_exp and v.integer and v.dtype.signed,
         "integer LogSumExp counts only the elements equal to the largest"),
        (lambda v: v.log_sum_exp and v.opset == 18 and v.dtype.name in BODY_ONLY,
         "opset 18 without a kernel: the function body, which overflows"),
        (lambda v: v.dtype.name in ("bfloat16", "uint32", "uint64"), "no kernel for the dtype"),
        (lambda v: v.inputs["data"].size == 0, "negative axes of an empty tensor stay unreduced"),
        (lambda v: v.log_sum_exp and v.inputs["data"].ndim == 1,
         "an infinite largest element hides NaN"),
        (lambda v: v.integer, "integers saturate and are accumulated in double"),
    ],
}


def run_reference(vector):
    from onnx.reference import ReferenceEvaluator
    return ReferenceEvaluator(vector.model).run(None, vector.inputs)[0]


def run_onnxruntime(vector):
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    session = onnxruntime.InferenceSession(vector.model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    return session.run(None, vector.inputs)[0]


def load_tensor(path):
    return numpy_helper.to_array(TensorProto.FromString(path.read_bytes()))


def load(folder):
    model = onnx.load(folder / "model.onnx")
    data = folder / "test_data_set_0"
    inputs = {port.name: load_tensor(data / f"input_{number}.pb")
              for number, port in enumerate(model.graph.input)}
    return Vector(folder.name, model, inputs, load_tensor(data / "output_0.pb"))


def close(dtype, actual, expected):
    """Integers equal; float and double as the official runner has it; 16 bits within one ulp."""
    if actual == expected or (math.isnan(actual) and math.isnan(expected)):
        return True
    if not (dtype.is_float and math.isfinite(actual) and math.isfinite(expected)):
        return False
    if dtype.bits > 16:
        return abs(actual - expected) <= 1e-7 + 1e-3 * abs(expected)
    return abs(Fraction(actual) - Fraction(expected)) <= dtype.ulp(Fraction(expected or dtype.tiny))


def outcome(run, vector):
    """None where the engine agrees, otherwise what it did instead."""
    try:
        actual = run(vector)
    except Exception as error:  # engines raise whatever they like
        return f"refused ({type(error).__name__})"
    if (actual.shape, actual.dtype) != (vector.expected.shape, vector.expected.dtype):
        return f"{actual.dtype}{list(actual.shape)}"
    number = float if vector.dtype.is_float else int
    pairs = zip(map(number, actual.flat), map(number, vector.expected.flat))
    wrong = [pair for pair in pairs if not close(vector.dtype, *pair)]
    if wrong:
        return f"{len(wrong)} of {actual.size} elements, as {wrong[0][0]} for {wrong[0][1]}"
    return None


def report(folder):
    warnings.simplefilter("ignore")
    vectors = [load(path) for path in sorted(folder.glob("test_*"))]
    for engine, run in (("reference", run_reference), ("onnxruntime", run_onnxruntime)):
        if engine == "onnxruntime" and not importlib.util.find_spec(engine):
            print(f"\n{engine}: not installed")
            continue
        groups = defaultdict(list)
        for vector in vectors:
            if what := outcome(run, vector):
                reasons = (why for applies, why in REASONS[engine] if applies(vector))
                groups[next(reasons, "UNEXPLAINED")].append(f"  {vector.name}: {what}")
        agreeing = len(vectors) - sum(map(len, groups.values()))
        print(f"\n{engine}: {agreeing} of {len(vectors)} agree")
        for why, lines in sorted(groups.items()):
            print(f" {why}: {len(lines)}", *lines, sep="\n")
