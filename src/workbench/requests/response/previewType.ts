/** Type of the panels with previews of responses. */
export const previewType = 'a2a.responsePreview';
