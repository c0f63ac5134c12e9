import { z } from "zod";
import { type DocumentWatch, documentWatchInput, watchIntervals } from "#contracts/api-registry/document-watches.ts";

const { url, action } = documentWatchInput.shape;

export const watchForm = z.object({
  url,
  everyMinutes: z
    .enum(watchIntervals.map(String), { error: "Choose how often" })
    .transform((text) => watchIntervals.find((minutes) => String(minutes) === text)!),
  action,
});

const intervalNames: Record<(typeof watchIntervals)[number], string> = {
  15: "every 15 minutes",
  60: "every hour",
  360: "every 6 hours",
  1440: "every day",
};
export const intervalChoices = watchIntervals.map((minutes) => ({
  value: String(minutes),
  label: intervalNames[minutes],
}));

export const actionChoices = [
  {
    value: "takeOver",
    label: "Take over when nothing breaks",
    hint: "By the document, and by what your tests expect of it. Any other opens an incident.",
  },
  { value: "report", label: "Only report", hint: "Every new version opens an incident and waits for you." },
];

export function toForm(watch: DocumentWatch | null, sourceUrl: string) {
  return {
    url: watch?.url ?? sourceUrl,
    everyMinutes: String(watch?.everyMinutes ?? 60),
    action: watch?.action ?? "takeOver",
  };
}
