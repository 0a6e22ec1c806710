// The tool `stats`: reads JSON, looks at each number, returns JSON. `../python` has
// the same one, so that a reader sees what a language costs.

const NUMBERS = {
  type: "object",
  properties: {
    numbers: {
      type: "array",
      items: { type: "number" },
      minItems: 1,
      description: "The numbers to describe.",
    },
  },
  required: ["numbers"],
  additionalProperties: false,
};

// An optional field is left out where there is nothing to say.
const STATS = {
  name: "stats",
  description: "Returns the mean, the least and the greatest of a list of numbers.",
  inputSchema: JSON.stringify(NUMBERS),
  annotations: { readOnly: true },
  approval: { tag: "never" },
  behaviour: {},
  hooks: {},
  maxRetries: 0,
};

function stats({ numbers }) {
  let [least, greatest, sum] = [Infinity, -Infinity, 0];
  for (const number of numbers) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
    sum += number;
  }
  return { mean: sum / numbers.length, min: least, max: greatest };
}

// The host has checked the arguments against the schema, and the tool's name.
export const tools = {
  describe: () => [STATS],
  execute(call) {
    const structured = JSON.stringify(stats(JSON.parse(call.arguments)));
    return { tag: "done", val: { content: [], structured } };
  },
};
