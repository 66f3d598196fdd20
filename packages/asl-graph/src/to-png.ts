/// <reference lib="dom" preserve="true" />

/** Sharp on fine screens. */
const wantedScale = 2
/** What browsers let a canvas have. */
const maxSide = 16_384
const maxPixels = 268_000_000

/** How large a picture can be drawn: twice as large, or as large as a canvas may be. */
export function pngScale(width: number, height: number): number {
  return Math.min(wantedScale, maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)))
}

/** An SVG document as PNG. */
export async function toPng(svgText: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svgText], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const scale = pngScale(width, height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.floor(width * scale)
    canvas.height = Math.floor(height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The picture is too large for PNG.')))),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}
