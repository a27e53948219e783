/** In pixels: twice the largest size in which the widget and the panel show it. */
const SIDE = 192

/**
 * Returns a picture as a small square PNG: `cover` cuts the edges off, `contain` keeps all of it with
 * clear edges. Throws for a file that is not a picture.
 */
export async function squarePicture(
  file: File,
  fit: 'cover' | 'contain',
): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const scale = SIDE / (fit === 'cover' ? Math.min(width, height) : Math.max(width, height))
  const [wide, high] = [width * scale, height * scale]
  canvas.getContext('2d')?.drawImage(bitmap, (SIDE - wide) / 2, (SIDE - high) / 2, wide, high)
  bitmap.close()
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}
