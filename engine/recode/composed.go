package recode

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// composed says what all recodes so far have made of the codes that recodes
// start from.
type composed struct {
	from *microdata.Column // Unrecoded() of the column
	now  []uint32          // by code of from, missing included: the code now; absent where no record has it

	levels []microdata.Level // of the codes now
}

// composedOf follows the records of a column that was recoded, in O(n) time. It
// is an error where records of one code have different codes now: then the
// column is no mapping of from.
func composedOf(target *microdata.Column) (composed, error) {
	from := target.Unrecoded()
	c := composed{from: from, now: make([]uint32, len(from.Categories().Levels)+1), levels: target.Categories().Levels}
	if from == target {
		for code := range c.now {
			c.now[code] = uint32(code)
		}
		return c, nil
	}
	for code := range c.now {
		c.now[code] = absent
	}
	if !followed(from.Categories().Codes, target.Categories().Codes, c.now) || !c.followMissing(target) {
		return composed{}, fmt.Errorf("%w: the values of %q were changed record by record after they were recoded", method.ErrInput, target.Name())
	}
	return c, nil
}

// followMissing sets what cells that lack a value, and were not suppressed,
// have become. ok is false where they have become different things.
func (c *composed) followMissing(target *microdata.Column) (ok bool) {
	from, suppressed := c.from.Categories(), target.Suppressed()
	c.now[0] = 0
	if from.Counts()[0] == target.SuppressedCount() {
		return true
	}
	first := true
	for record := range from.Codes.Len() {
		if from.Codes.At(record) != 0 || suppressed.Has(record) {
			continue
		}
		now := target.Categories().Codes.At(record)
		if !first && now != c.now[0] {
			return false
		}
		c.now[0], first = now, false
	}
	return true
}

// narrowest is what codes are stored as.
type narrowest interface{ uint8 | uint16 | uint32 }

// followed sets now[f] to the code that the records of code f > 0 have now. ok
// is false where they have different ones.
func followed(from, now microdata.Codes, codes []uint32) (ok bool) {
	switch {
	case from.Uint8() != nil:
		return followedFrom(from.Uint8(), now, codes)
	case from.Uint16() != nil:
		return followedFrom(from.Uint16(), now, codes)
	default:
		return followedFrom(from.Uint32(), now, codes)
	}
}

func followedFrom[From narrowest](from []From, now microdata.Codes, codes []uint32) (ok bool) {
	switch {
	case now.Uint8() != nil:
		return followedTo(from, now.Uint8(), codes)
	case now.Uint16() != nil:
		return followedTo(from, now.Uint16(), codes)
	default:
		return followedTo(from, now.Uint32(), codes)
	}
}

func followedTo[From, To narrowest](from []From, now []To, codes []uint32) (ok bool) {
	for record, f := range from {
		if f == 0 {
			continue
		}
		code := uint32(now[record])
		switch codes[f] {
		case code:
		case absent:
			codes[f] = code
		default:
			return false
		}
	}
	return true
}
