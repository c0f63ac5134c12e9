import { Button } from "~/ui/button/button";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { ErrorSummary } from "~/ui/error-summary/error-summary";
import { Field } from "~/ui/field/field";
import { FieldsetGroup } from "~/ui/fieldset-group/fieldset-group";
import { FileField } from "~/ui/file-field/file-field";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { MomentField } from "~/ui/moment-field/moment-field";
import { CheckboxGroup, RadioGroup } from "~/ui/radio-group/radio-group";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import type { PartStates } from "./part-states";

const errors = ["Give the product a name"];
const options = [
  { value: "paper", label: "Paper", hint: "Notebooks and envelopes" },
  { value: "writing", label: "Writing" },
  { value: "desk", label: "Desk", disabled: true },
];

/** Parts that take input. */
export const formStates: PartStates = (id) => {
  const field = (name: string) => ({ name: id(name), label: "Name", hint: "Shown to customers." });
  return {
    checkbox: {
      plain: <Checkbox {...field("checkbox")} />,
      ticked: <Checkbox {...field("checkbox-ticked")} defaultChecked />,
      wrong: <Checkbox {...field("checkbox-wrong")} errors={["Approve"]} />,
      disabled: <Checkbox {...field("checkbox-disabled")} disabled />,
    },
    "error-summary": {
      plain: (
        <ErrorSummary
          id={id("errors")}
          errors={[{ message: errors[0]!, fieldId: id("text-wrong") }, { message: "Try again later" }]}
        />
      ),
    },
    field: {
      plain: (
        <Field id={id("field")} label="Name" hint="Shown to customers." required={false}>
          <input id={id("field")} />
        </Field>
      ),
    },
    "fieldset-group": {
      plain: (
        <FieldsetGroup id={id("price")} legend="Price" hint="In euros.">
          <TextField {...field("fieldset")} />
        </FieldsetGroup>
      ),
      wrong: (
        <FieldsetGroup id={id("price-wrong")} legend="Price" look="heading" errors={errors}>
          <TextField {...field("fieldset-wrong")} />
        </FieldsetGroup>
      ),
    },
    "file-field": {
      plain: <FileField {...field("file")} />,
      wrong: <FileField {...field("file-wrong")} errors={["Choose a file"]} />,
    },
    "filter-bar": {
      plain: (
        <FilterBar label="Filter products" search={{ label: "Search", id: id("search") }} resetHref="#">
          <Select {...field("filter")} options={options} />
        </FilterBar>
      ),
    },
    "moment-field": {
      plain: <MomentField {...field("moment")} island={{}} defaultValue="2026-03-14 10:26" />,
      wrong: <MomentField {...field("moment-wrong")} island={{}} defaultValue="noon" errors={["Enter a date"]} />,
    },
    "radio-group": {
      radio: <RadioGroup {...field("radio")} options={options} defaultValue="paper" />,
      inline: <RadioGroup {...field("radio-inline")} options={options} inline />,
      checkboxes: <CheckboxGroup {...field("checkboxes")} options={options} defaultValue={["writing"]} />,
      wrong: <RadioGroup {...field("radio-wrong")} options={options} errors={["Choose one"]} />,
    },
    "repeated-rows": {
      rows: (
        <RepeatedRows
          legend="Tags"
          rows={[
            {
              key: "first",
              fields: <TextField {...field("row")} />,
              removeLabel: "Remove the tag",
              remove: { name: "remove", value: "0" },
            },
          ]}
          addLabel="Add a tag"
          add={{ name: "add", value: "tag" }}
        />
      ),
      empty: <RepeatedRows legend="Tags" rows={[]} empty="No tags yet." addLabel="Add a tag" add={{ name: "add" }} />,
    },
    select: {
      plain: <Select {...field("select")} options={options} />,
      groups: <Select {...field("select-groups")} options={[{ label: "All", options }]} placeholder="Choose" />,
      wrong: <Select {...field("select-wrong")} options={options} errors={["Choose one"]} />,
    },
    "text-area": {
      plain: <TextArea {...field("area")} defaultValue="Several lines" />,
      code: <TextArea {...field("area-code")} code defaultValue="{}" />,
      wrong: <TextArea {...field("area-wrong")} errors={errors} />,
    },
    "text-field": {
      plain: <TextField {...field("text")} />,
      "optional, with words around": <TextField {...field("text-around")} required={false} before="€" after="each" />,
      "without a visible label": <TextField {...field("text-hidden")} labelHidden />,
      wrong: <TextField {...field("text-wrong")} errors={errors} />,
      disabled: <TextField {...field("text-disabled")} disabled defaultValue="Notebook" />,
      "with a button": (
        <>
          <TextField {...field("text-button")} code />
          <Button>Save</Button>
        </>
      ),
    },
  };
};
