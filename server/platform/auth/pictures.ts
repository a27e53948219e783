/** Returns the path of a picture on this server. */
export function pictureUrl(pictureId: string | null): string | null {
  return pictureId === null ? null : `/api/v1/pictures/${pictureId}`
}
