package reads

import "github.com/novastream/nova/core/keys"

// cacheBytes bounds the windows that a star keeps for readers who go through them piece by piece.
const cacheBytes = 64 << 20

// windowName names a window in a slot.
type windowName struct {
	epoch  *epoch
	slot   keys.Slot
	offset uint64
}

// window is the batches of a window, and the key of the object that they are in.
type window struct {
	key string
	raw []byte
}

// windowCache keeps the latest windows read, first in, first out.
type windowCache struct {
	most, bytes int
	windows     map[windowName]window
	order       []windowName
}

func newWindowCache(most int) *windowCache {
	return &windowCache{most: most, windows: map[windowName]window{}}
}

func (c *windowCache) get(name windowName) (window, bool) {
	w, ok := c.windows[name]
	return w, ok
}

func (c *windowCache) put(name windowName, w window) {
	if _, ok := c.windows[name]; ok || len(w.raw) > c.most {
		return
	}
	c.windows[name], c.order, c.bytes = w, append(c.order, name), c.bytes+len(w.raw)
	for c.bytes > c.most {
		c.bytes -= len(c.windows[c.order[0]].raw)
		delete(c.windows, c.order[0])
		c.order = c.order[1:]
	}
}
