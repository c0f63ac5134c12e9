import type { useForm } from "@conform-to/react";
import type { ChannelKind } from "#contracts/test-analyzer/alert-channels.ts";
import type { ChannelFormFields } from "./channel-form";
import type { FoundMembers } from "./channel-form.server";

export type Fields = ReturnType<typeof useForm<ChannelFormFields>>[1];

export interface TargetFieldsProps {
  fields: Fields;
  members: FoundMembers;
  /** For a stored channel, whose other kinds' fields are absent. */
  kind?: ChannelKind;
  /** The visible part of the stored address of a chat. */
  host?: string;
  /** Names of a webhook's stored headers. */
  headerNames?: readonly string[];
  /** What the typed template gives with examples. */
  preview?: string;
}
