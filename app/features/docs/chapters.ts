export interface Chapter {
  /** In the address. */
  key: string;
  label: string;
  /** Below `docs/`. */
  file: string;
}

/** What the documentation has, in the order in which it is read. */
export const parts: readonly { label: string; chapters: readonly Chapter[] }[] = [
  {
    label: "Guide",
    chapters: [
      { key: "getting-started", label: "Getting started", file: "guide/getting-started.md" },
      { key: "apis", label: "APIs and environments", file: "guide/apis.md" },
      { key: "tests", label: "Tests", file: "guide/tests.md" },
      { key: "explorations", label: "Explorations", file: "exploration.md" },
      { key: "circles-and-schedules", label: "Circles and schedules", file: "guide/circles-and-schedules.md" },
      { key: "alerts", label: "Incidents and alerts", file: "guide/alerts.md" },
      { key: "alert-channels", label: "Alert channels", file: "alert-channels.md" },
      { key: "status-pages", label: "Status pages", file: "status-pages.md" },
      { key: "watched-documents", label: "Watched documents", file: "watched-documents.md" },
    ],
  },
  {
    label: "Pipelines and programs",
    chapters: [
      { key: "command-line", label: "Command line", file: "command-line.md" },
      { key: "contract-gate", label: "Contract gate", file: "contract-gate.md" },
      { key: "assurance-as-code", label: "Assurance as code", file: "assurance-as-code.md" },
      { key: "import", label: "Import", file: "import.md" },
      { key: "export", label: "Export", file: "export.md" },
      { key: "assistants", label: "Assistants", file: "assistants.md" },
    ],
  },
  {
    label: "Reference",
    chapters: [
      { key: "checks", label: "Assertions and checks", file: "reference/checks.md" },
      { key: "variables", label: "Variables", file: "reference/variables.md" },
      { key: "api", label: "The portal's API", file: "reference/api.md" },
      { key: "configuration", label: "Configuration", file: "reference/configuration.md" },
    ],
  },
  {
    label: "Operate it",
    chapters: [
      { key: "operations", label: "Operations", file: "operations.md" },
      { key: "scaling", label: "Scaling", file: "scaling.md" },
      { key: "agents", label: "Agents", file: "agents.md" },
      { key: "telemetry", label: "Telemetry", file: "telemetry.md" },
      { key: "secrets", label: "Secrets", file: "secrets.md" },
      { key: "performance", label: "Performance", file: "performance.md" },
    ],
  },
];

export const chapters = parts.flatMap((part) => part.chapters);
