package spss

import (
	"encoding/binary"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Compression methods of the data.
const (
	uncompressed = 0
	byteCodes    = 1
	zlibBlocks   = 2
)

// header is the first record of a system file.
type header struct {
	order       binary.ByteOrder
	elements    int // claimed number of elements in a row; 0 or less if unknown
	compression int
	weight      int // number of the weight element; 0 if none
	rows        int64
	bias        float64
	label       string // in the encoding of the file
}

func readHeader(c *statfile.Cursor) header {
	var h header
	c.Order = binary.LittleEndian
	c.Skip(64)
	layout := c.Peek(4)
	h.order = binary.LittleEndian
	if layout != nil && layout[0] == 0 {
		h.order = binary.BigEndian
	}
	c.Order = h.order
	if code := c.Uint32(); c.Err() == nil && code != 2 && code != 3 {
		c.Fail(statfile.ErrUnsupported, "unknown layout code in both byte orders")
	}
	h.elements, h.compression, h.weight, h.rows = int(c.Int32()), int(c.Int32()), int(c.Int32()), int64(c.Int32())
	h.bias = c.Float64()
	c.Skip(17)
	h.label = trimmed(c.Take(64))
	c.Skip(3)
	if c.Err() == nil && (h.compression < uncompressed || h.compression > zlibBlocks) {
		c.Fail(statfile.ErrUnsupported, "unknown compression %d", h.compression)
	}
	if math.IsNaN(h.bias) || math.IsInf(h.bias, 0) {
		h.bias = 100
	}
	if h.rows < 0 {
		h.rows = -1
	}
	return h
}

// trimmed returns the text of a field without trailing spaces or zeros.
func trimmed(field []byte) string { return string(statfile.TrimSpaces(field)) }
