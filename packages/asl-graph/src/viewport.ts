/// <reference lib="dom" preserve="true" />
import type { Box } from './placement.ts'

const minZoom = 0.1
/** So small, names can still be read: a picture that is larger begins at its top. */
const minLegible = 0.62
const maxZoom = 2.5

/** The window onto a picture: scrolls, zooms and is dragged. */
export interface Viewport {
  readonly element: HTMLElement
  /** Another picture: shown from its start, where it can be read. `startX` is the middle of where it begins. */
  begin(width: number, height: number, startX: number): void
  /** The whole picture, not enlarged. */
  fit(): void
  zoomBy(factor: number): void
  /** Follows the size of its element until it is ended. */
  observe(): () => void
}

/** `onView` hears which part of the picture is seen, in its own coordinates. */
export function createViewport(picture: SVGSVGElement, onView: (view: Box) => void): Viewport {
  const element = document.createElement('div')
  element.className = 'viewport asl-graph'
  element.append(picture)
  const size = { width: 0, height: 0 }
  let zoom = 1
  let isFitted = true
  let least = minLegible
  let startX = 0

  function tell(): void {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = element
    if (clientWidth === 0) return
    const gapX = Math.max(0, clientWidth - size.width * zoom) / 2
    const gapY = Math.max(0, clientHeight - size.height * zoom) / 2
    onView({
      x: (scrollLeft - gapX) / zoom,
      y: (scrollTop - gapY) / zoom,
      width: clientWidth / zoom,
      height: clientHeight / zoom,
    })
  }

  function setZoom(wanted: number, atX = element.clientWidth / 2, atY = element.clientHeight / 2): void {
    const { scrollLeft, scrollTop } = element
    const next = Math.min(maxZoom, Math.max(minZoom, wanted))
    const factor = next / zoom
    zoom = next
    picture.setAttribute('width', String(Math.floor(size.width * next)))
    picture.setAttribute('height', String(Math.floor(size.height * next)))
    element.scrollLeft = (scrollLeft + atX) * factor - atX
    element.scrollTop = (scrollTop + atY) * factor - atY
    tell()
  }

  function fitWhole(): void {
    const { clientWidth, clientHeight } = element
    if (clientWidth === 0 || size.width === 0) return
    const whole = Math.min(clientWidth / size.width, clientHeight / size.height)
    setZoom(Math.min(1, Math.max(least, whole)))
    isFitted = true
  }

  function goToStart(): void {
    element.scrollTop = 0
    element.scrollLeft = startX * zoom - element.clientWidth / 2
  }

  element.addEventListener('scroll', tell, { passive: true })
  element.addEventListener(
    'wheel',
    event => {
      isFitted = false
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left, top } = element.getBoundingClientRect()
      setZoom(zoom * 0.998 ** event.deltaY, event.clientX - left, event.clientY - top)
    },
    { passive: false },
  )
  const onPan = (): void => {
    isFitted = false
  }
  element.addEventListener('touchmove', onPan, { passive: true })
  listenToDrags(element, onPan)

  return {
    element,
    begin(width, height, middle) {
      Object.assign(size, { width, height })
      startX = middle
      least = minLegible
      fitWhole()
      goToStart()
      tell()
    },
    fit() {
      least = minZoom
      fitWhole()
    },
    zoomBy(factor) {
      setZoom(zoom * factor)
      isFitted = false
    },
    observe() {
      const resized = new ResizeObserver(() => {
        if (isFitted) {
          fitWhole()
          if (least === minLegible) goToStart()
        }
        tell()
      })
      resized.observe(element)
      return () => resized.disconnect()
    },
  }
}

function listenToDrags(element: HTMLElement, onPan: () => void): void {
  let dragged: { readonly x: number; readonly y: number; isMoved: boolean } | undefined
  element.addEventListener('pointerdown', ({ button, pointerType, clientX, clientY }) => {
    if (button === 0 && pointerType === 'mouse') dragged = { x: clientX, y: clientY, isMoved: false }
  })
  element.addEventListener('pointermove', event => {
    if (!dragged) return
    if (!dragged.isMoved && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 4) return
    if (!dragged.isMoved) element.setPointerCapture(event.pointerId)
    dragged.isMoved = true
    onPan()
    element.scrollLeft -= event.movementX
    element.scrollTop -= event.movementY
  })
  for (const type of ['pointerup', 'pointercancel']) {
    element.addEventListener(type, () => {
      dragged = undefined
    })
  }
}
