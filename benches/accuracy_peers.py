"""What other libraries make of the same lists: of one list, and of eight equal ones as columns of a matrix."""

import functools

import numpy as np

try:
    import torch
except ImportError:
    torch = None
try:
    import onnx
    import onnxruntime
except ImportError:
    onnxruntime = None


def results(operator, x, y):
    """Pairs of a key, which is a library and a way, and the result or the results."""
    found = []
    lists = {"list": (x, y), "columns": (columns(x), columns(y))}
    for library, functions in LIBRARIES.items():
        function = functions.get(operator)
        for way, (a, b) in lists.items():
            if function is None or (way == "columns" and operator in OF_LISTS):
                continue
            with np.errstate(all="ignore"):
                result = function(a, b)
            for value in [] if result is None else separate(operator, result):
                found.append(((library, way), value))
    return found


# What layer norm and RMS norm add to the variance.
ADDED = 2.0**-17

# Each element has a result; or the library's function takes lists alone.
OF_LISTS = {"LayerNorm", "RmsNorm", "UnitLength", "softmax", "LogSoftmax", "Correlation", "Covariance", "WeightedVariance"}


def columns(x):
    return np.repeat(x[:, None], 8, axis=1)


def separate(operator, result):
    result = np.asarray(result)
    return [result] if operator in OF_LISTS and result.ndim else list(np.unique(result))


def exponentials(x):
    return np.exp(x - x.max(axis=0))


def relative_entropy(p, q):
    p, q = np.abs(p), np.abs(q)
    return np.where(p > 0, p * np.log(p / q), 0).sum(axis=0, dtype=p.dtype)


def standardised(x):
    return (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + x.dtype.type(ADDED))


NUMPY = {
    "ReduceSum": lambda x, y: x.sum(axis=0),
    "ReduceMean": lambda x, y: x.mean(axis=0),
    "ReduceProd": lambda x, y: x.prod(axis=0),
    "ReduceL1": lambda x, y: np.linalg.norm(x, ord=1, axis=0) if x.ndim == 1 else np.abs(x).sum(axis=0),
    "ReduceL2": lambda x, y: np.linalg.norm(x, axis=0),
    "ReduceSumSquare": lambda x, y: np.square(x).sum(axis=0),
    "ReduceLogSum": lambda x, y: np.log(np.abs(x).sum(axis=0)),
    "ReduceLogSumExp": lambda x, y: np.logaddexp.reduce(x, axis=0),
    "Variance": lambda x, y: x.var(axis=0),
    "StandardDeviation": lambda x, y: x.std(axis=0),
    "Dot": lambda x, y: np.dot(x, y) if x.ndim == 1 else np.vecdot(x, y, axis=0),
    "SquaredError": lambda x, y: np.square(x - y).mean(axis=0),
    "Cosine": lambda x, y: (x * y).sum(axis=0) / (np.linalg.norm(x, axis=0) * np.linalg.norm(y, axis=0)),
    "Covariance": lambda x, y: np.cov(x, y, bias=True, dtype=x.dtype)[0, 1],
    "Correlation": lambda x, y: np.corrcoef(x, y, dtype=x.dtype)[0, 1],
    "WeightedVariance": lambda x, y: np.cov(x, aweights=np.abs(y), bias=True, dtype=x.dtype),
    "Divergence": relative_entropy,
    "LayerNorm": lambda x, y: standardised(x),
    "UnitLength": lambda x, y: x / np.linalg.norm(x),
    "softmax": lambda x, y: exponentials(x) / exponentials(x).sum(axis=0),
    "LogSoftmax": lambda x, y: x - x.max() - np.log(exponentials(x).sum()),
}


def of_torch():
    """PyTorch's functions, of arrays of NumPy."""
    if torch is None:
        return {}
    F = torch.nn.functional
    functions = {
        "ReduceSum": lambda x, y: x.sum(0),
        "ReduceMean": lambda x, y: x.mean(0),
        "ReduceProd": lambda x, y: x.prod(0),
        "ReduceL1": lambda x, y: torch.linalg.vector_norm(x, 1, 0),
        "ReduceL2": lambda x, y: torch.linalg.vector_norm(x, 2, 0),
        "ReduceSumSquare": lambda x, y: x.square().sum(0),
        "ReduceLogSum": lambda x, y: x.abs().sum(0).log(),
        "ReduceLogSumExp": lambda x, y: torch.logsumexp(x, 0),
        "Variance": lambda x, y: torch.var(x, 0, correction=0),
        "StandardDeviation": lambda x, y: torch.std(x, 0, correction=0),
        "Dot": lambda x, y: torch.linalg.vecdot(x, y, dim=0),
        "SquaredError": lambda x, y: (x - y).square().mean(0),
        "Cosine": lambda x, y: F.cosine_similarity(x, y, 0, eps=0),
        "Covariance": lambda x, y: torch.cov(torch.stack([x, y]), correction=0)[0, 1],
        "Correlation": lambda x, y: torch.corrcoef(torch.stack([x, y]))[0, 1],
        "LayerNorm": lambda x, y: F.layer_norm(x, x.shape, eps=ADDED),
        "RmsNorm": lambda x, y: F.rms_norm(x, x.shape, eps=ADDED),
        "UnitLength": lambda x, y: F.normalize(x, dim=0, eps=0),
        "softmax": lambda x, y: F.softmax(x, 0),
        "LogSoftmax": lambda x, y: F.log_softmax(x, 0),
    }
    tensors = lambda f: lambda x, y: f(torch.from_numpy(x), torch.from_numpy(y)).numpy()
    return {operator: tensors(f) for operator, f in functions.items()}


@functools.cache
def session(node, dtype, rank, attributes):
    """A model of one node; None if ONNX Runtime has no kernel for it."""
    type_ = {"float32": onnx.TensorProto.FLOAT, "float64": onnx.TensorProto.DOUBLE}[dtype]
    helper = onnx.helper
    tensor = lambda name: helper.make_tensor_value_info(name, type_, [None] * rank)
    out = helper.make_tensor_value_info("out", type_, None)
    inputs, constants = ["x"], []
    if node.startswith("Reduce"):
        inputs.append("axes")
        constants.append(helper.make_tensor("axes", onnx.TensorProto.INT64, [1], [0]))
    if node == "MatMul":
        inputs.append("y")
    if node == "LayerNormalization" or node == "RMSNormalization":
        inputs.append("one")
        constants.append(helper.make_tensor("one", type_, [1], [1.0]))
    nodes = [helper.make_node(node, inputs, ["out"], **dict(attributes))]
    given = [tensor(name) for name in inputs if name in "xy"]
    graph = helper.make_graph(nodes, "one", given, [out], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)
    try:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        return onnxruntime.InferenceSession(model.SerializeToString(), options)
    except Exception:
        return None


def of_onnxruntime():
    """Nodes of ONNX, run by ONNX Runtime."""
    if onnxruntime is None:
        return {}

    def node(name, change=lambda x: x, **attributes):
        def run(x, y):
            runs = session(name, str(x.dtype), x.ndim, tuple(attributes.items()))
            if runs is None or (name == "MatMul" and x.ndim == 2):
                return None
            given = {input.name: {"x": change(x), "y": y}[input.name] for input in runs.get_inputs()}
            return runs.run(None, given)[0]

        return run

    reduced = ["Sum", "Mean", "Prod", "L1", "L2", "SumSquare", "LogSumExp"]
    return {
        **{f"Reduce{name}": node(f"Reduce{name}", keepdims=0) for name in reduced},
        "ReduceLogSum": node("ReduceLogSum", np.abs, keepdims=0),
        "Dot": node("MatMul"),
        "softmax": node("Softmax", axis=0),
        "LogSoftmax": node("LogSoftmax", axis=0),
        "LayerNorm": node("LayerNormalization", axis=0, epsilon=ADDED),
        "RmsNorm": node("RMSNormalization", axis=0, epsilon=ADDED),
        "UnitLength": node("LpNormalization", axis=0, p=2),
    }


LIBRARIES = {"NumPy": NUMPY, "PyTorch": of_torch(), "ONNX Runtime": of_onnxruntime()}
