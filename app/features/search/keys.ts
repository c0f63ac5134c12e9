/** Keys that work on every page for viewers who are signed in; `single` ones can be switched off. */
export const keyList: readonly { keys: readonly string[]; what: string; single?: true }[] = [
  { keys: ["Ctrl K", "⌘ K"], what: "Search" },
  { keys: ["/"], what: "Search", single: true },
  { keys: ["?"], what: "Show these keys", single: true },
  { keys: ["g d"], what: "Go to the dashboard", single: true },
  { keys: ["g a"], what: "Go to APIs", single: true },
  { keys: ["g c"], what: "Go to circles", single: true },
  { keys: ["g i"], what: "Go to incidents", single: true },
  { keys: ["g s"], what: "Go to schedules", single: true },
  { keys: ["g l"], what: "Go to alert rules", single: true },
  { keys: ["Ctrl Enter", "⌘ Enter"], what: "Send the request, in the test editor" },
  { keys: ["Ctrl S", "⌘ S"], what: "Save the test, in the test editor" },
];
