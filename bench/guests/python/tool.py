"""The tool `stats`: reads JSON, looks at each number, returns JSON.

`../javascript` has the same one, so that a reader sees what a language costs.
"""

import json

from wit_world import exports
from wit_world.imports import types

NUMBERS = {
    "type": "object",
    "properties": {
        "numbers": {
            "type": "array",
            "items": {"type": "number"},
            "minItems": 1,
            "description": "The numbers to describe.",
        },
    },
    "required": ["numbers"],
    "additionalProperties": False,
}

STATS = types.ToolDefinition(
    name="stats",
    display_name=None,
    description="Returns the mean, the least and the greatest of a list of numbers.",
    input_schema=json.dumps(NUMBERS),
    output_schema=None,
    annotations=types.Annotations(
        title=None, read_only=True, destructive=None, idempotent=None, open_world=None
    ),
    approval=types.ApprovalRequirement_Never(),
    behaviour=types.Behaviour(0),
    hooks=types.HookSet(0),
    max_retries=0,
    meta=None,
)


def stats(numbers):
    """Describes a list of numbers that is not empty."""
    return {"mean": sum(numbers) / len(numbers), "min": min(numbers), "max": max(numbers)}


class Tools(exports.Tools):
    """What the plugin exports. The host has checked the arguments and the name."""

    def describe(self):
        return [STATS]

    def execute(self, call, context):
        found = stats(**json.loads(call.arguments))
        return types.Outcome_Done(
            types.Output(
                content=[], structured=json.dumps(found), model_view=None, custom_data=None
            )
        )
