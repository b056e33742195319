package reads

// cacheBytes bounds the windows that a star keeps for readers who go through them piece by piece.
const cacheBytes = 64 << 20

// windowName names a window in a slot.
type windowName struct {
	key    string
	offset uint64
}

// windowCache keeps the latest windows read, first in, first out.
type windowCache struct {
	most, bytes int
	raw         map[windowName][]byte
	order       []windowName
}

func newWindowCache(most int) *windowCache {
	return &windowCache{most: most, raw: map[windowName][]byte{}}
}

func (c *windowCache) get(name windowName) ([]byte, bool) {
	raw, ok := c.raw[name]
	return raw, ok
}

func (c *windowCache) put(name windowName, raw []byte) {
	if _, ok := c.raw[name]; ok || len(raw) > c.most {
		return
	}
	c.raw[name], c.order, c.bytes = raw, append(c.order, name), c.bytes+len(raw)
	for c.bytes > c.most {
		c.bytes -= len(c.raw[c.order[0]])
		delete(c.raw, c.order[0])
		c.order = c.order[1:]
	}
}
