import { z } from "zod";
import { markInput } from "#contracts/test-analyzer/marks.ts";
import { localMoment } from "~/features/time-zone/local-moment";

export const markForm = z.object({
  name: markInput.shape.name,
  at: localMoment.optional(),
  url: markInput.shape.url,
});
