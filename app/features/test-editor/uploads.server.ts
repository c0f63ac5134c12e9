import { storeUploads, type UploadFault } from "~/features/request-files/uploads.server";
import type { UploadForm } from "~/forms/read-upload-form.server";
import type { Viewer } from "~/session/guards";

const uploadField = /^request\.body\.(?:parts\[\d{1,3}\]\.)?upload$/;

/** Stores the files of the editor's form. @throws Response when the viewer may not store files */
export async function storeEditorUploads(upload: UploadForm, viewer: Viewer): Promise<UploadFault[]> {
  return await storeUploads(upload, viewer, uploadField);
}
