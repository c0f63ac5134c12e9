import { data } from "@remix-run/node";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { problemResponse, required } from "~/backend/responses";
import { readRunKey } from "~/features/runs/start-run.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import type { ChannelResult } from "./channel-form.server";

interface ChannelPlace {
  viewer: Viewer;
  context: PortalContext;
  channelId: string;
  /** The channel's page. */
  here: string;
}

/** Actions on a stored channel other than saving its form; undefined for the form's own. */
export async function actOnChannel(form: FormData, { viewer, context, channelId, here }: ChannelPlace) {
  const { testAnalyzer } = viewer.backend;
  const params = { channelId };
  /** Problems are reported on the channel's page; missing permission is handled as everywhere. */
  const refused = (title: string, problem: ProblemDetails) => {
    if ([401, 403, 404].includes(problem.status)) throw problemResponse(problem);
    return redirectWithToast(context, here, { title, message: problem.detail, variant: "warning" });
  };
  switch (form.get("intent")) {
    case "test": {
      const sent = await testAnalyzer.testChannel({ params });
      if (!sent.ok) return refused("No test alert was sent", sent.problem);
      const { id: deliveryId, state, detail } = sent.value;
      const look = href("/test-management/alert-channels/:channelId/deliveries/:deliveryId", { channelId, deliveryId });
      return redirectWithToast(context, here, {
        title: state === "delivered" ? "The test alert was sent" : "The test alert was not delivered",
        message: detail ?? "",
        variant: state === "delivered" ? "success" : "danger",
        actions: [{ name: "View", href: look }],
      });
    }
    case "rotate": {
      const rotated = await testAnalyzer.rotateChannelSecret({
        params,
        body: { previousHours: Number(form.get("previousHours")) },
        headers: { "idempotency-key": `${readRunKey(form)}:secret` },
      });
      if (!rotated.ok) return refused("The secret stays as it was", rotated.problem);
      const { value } = rotated;
      const secret = (value.kind === "webhook" && value.secret) || "";
      return data<ChannelResult>({ made: { id: channelId, name: value.name, secret } });
    }
    case "send-link": {
      const address = String(form.get("address"));
      const sent = await testAnalyzer.sendAddressLink({ body: { address } });
      if (!sent.ok) return refused("No link was sent", sent.problem);
      return redirectWithToast(context, here, `We emailed a new link to ${address}.`);
    }
    case "delete": {
      const { name } = required(await testAnalyzer.getChannel({ params }));
      required(await testAnalyzer.deleteChannel({ params }));
      return redirectWithToast(context, href("/test-management/alert-channels"), `${name} was deleted.`);
    }
  }
  return undefined;
}
