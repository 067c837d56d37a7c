"""A client made from the document alone, by the rules of Python's generators: a dataclass for each schema, whose
required members have no default, and a function for each operation, which sends its one kind of body. It uploads,
streams, reads and lists. Its input is an address, a key and a recording, as JSON on standard input."""

import base64
import json
import keyword
import sys
import urllib.error
import urllib.request
import uuid
from dataclasses import field, make_dataclass

given = json.load(sys.stdin)
document = json.load(open("openapi.json"))
schemas = document["components"]["schemas"]


def spelled(name):
    """Generators append an underscore to names that Python reserves, such as `for`."""
    return name + "_" if keyword.iskeyword(name) else name


def fields_of(schema):
    """Members without a default come first, as a dataclass demands."""
    required = schema.get("required", [])
    names = sorted(schema.get("properties", {}), key=lambda name: name not in required)
    return [
        (spelled(name), object) if name in required else (spelled(name), object, field(default=None)) for name in names
    ]


MODELS = {
    name: make_dataclass(name, fields_of(schema), kw_only=True)
    for name, schema in schemas.items()
    if schema.get("type") == "object" and "properties" in schema
}


TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def resolved(schema):
    return resolved(schemas[schema["$ref"].split("/")[-1]]) if "$ref" in schema else schema


def built(schema, value):
    """The value as its model. Raises TypeError or ValueError for one that the schema does not describe."""
    name = schema.get("$ref", "").split("/")[-1]
    schema = resolved(schema)
    choices = schema.get("oneOf") or schema.get("anyOf")
    if choices:
        return chosen(choices, value)
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{value!r} is not one of {schema}")
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(isinstance(value, TYPES[kind]) for kind in kinds):
        raise TypeError(f"{str(value)[:100]} is not {kinds}")
    if isinstance(value, list):
        return [built(schema.get("items", {}), one) for one in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    members = schema["properties"]
    known = {key: built(members[key], one) for key, one in value.items() if key in members}
    return MODELS[name](**{spelled(key): one for key, one in known.items()}) if name in MODELS else known


def chosen(choices, value):
    """The first model that fits."""
    for choice in choices:
        try:
            return built(choice, value)
        except (TypeError, ValueError):
            continue
    raise ValueError(f"{str(value)[:100]} is none of {len(choices)} choices")


def form_of(values):
    boundary = uuid.uuid4().hex
    parts = b""
    for name, value in values.items():
        is_file = isinstance(value, tuple)
        filename = f'; filename="{value[0]}"' if is_file else ""
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{filename}\r\n\r\n'
        parts += head.encode() + (value[1] if is_file else str(value).encode()) + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", parts + f"--{boundary}--\r\n".encode()


def operation(operation_id):
    [(path, method, found)] = [
        (path, method, one)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
        if one["operationId"] == operation_id
    ]

    def call(query="", body=None, **names):
        kinds = list(found.get("requestBody", {}).get("content", {}))
        headers = {"X-API-Key": given["key"]}
        data = None
        if body is not None:
            [kind] = kinds
            members = resolved(found["requestBody"]["content"][kind]["schema"])["properties"]
            assert set(body) <= set(members), f"{operation_id} has no {set(body) - set(members)}"
            headers["Content-Type"], data = (
                form_of(body) if kind == "multipart/form-data" else (kind, json.dumps(body).encode())
            )
        request = urllib.request.Request(
            given["baseUrl"] + path.format(**names) + query, data, headers, method=method.upper()
        )
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        kind = answer.headers.get_content_type()
        text = answer.read().decode()
        if kind != "application/json":
            return answer.status, text
        return answer.status, built(found["responses"][str(answer.status)]["content"][kind]["schema"], json.loads(text))

    return call


recording = ("call.wav", base64.b64decode(given["recording"]))
_, analysis = operation("analyze")(body={"file": recording, "goal": "Book a table"})
_, stream = operation("replay")(body={"file": recording})
_, read = operation("getConversation")(conversation_id=analysis.conversation_id)
_, listed = operation("listConversations")("?limit=10&status=completed")
_, live = operation("startLive")(body={"suffix": ".wav"})
status, refusal = operation("getRecord")(conversation_id="nothing")
events = [line[7:] for line in stream.split("\n") if line.startswith("event: ")]
json.dump(
    {
        "utterances": [f"{entry.speaker}: {entry.text}" for entry in analysis.timeline],
        "overview": read.summary.overview if read.status == "completed" else "",
        "isListed": analysis.conversation_id in [one.conversation_id for one in listed.conversations],
        "lastEvent": events[-1],
        "events": len(events),
        "status": live.status,
        "refusal": [status, refusal["code"]],
    },
    sys.stdout,
)
