// Recordings by their paths, which the entry of the file system makes out (`tickchain/recording`).

import type { RecordingFile } from './recorder.ts'

let open: ((path: string) => RecordingFile) | undefined

/** Says what a path stands for from now on. */
export function openPathsBy(opener: typeof open): void {
  open = opener
}

/** The file at a path; `undefined` if nobody knows paths. */
export function fileAt(path: string): RecordingFile | undefined {
  return open?.(path)
}
