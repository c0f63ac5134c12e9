import { z } from "zod";
import { localMoment } from "~/time-zone/local-moment";
import { markInput } from "../../../../services/test-analyzer/contract/marks.ts";

export const markForm = z.object({
  name: markInput.shape.name,
  at: localMoment.optional(),
  url: markInput.shape.url,
});
