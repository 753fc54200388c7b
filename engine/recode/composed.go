package recode

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// absent is a code that no level has.
const absent = ^uint32(0)

// composed says what all recodes so far have made of the codes that recodes
// start from.
type composed struct {
	from *microdata.Column // Unrecoded() of the column
	now  []uint32          // by code of from, missing included: the code now; absent where no record has it

	levels []microdata.Level // of the codes now
}

// composedOf follows the records of a column that was recoded, but for suppressed
// cells, in O(n) time. It is an error where records of one code have different
// codes now: then the column is no mapping of from.
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
	suppressed := target.Suppressed()
	for first, pairs := range microdata.Pairs(from.Categories().Codes, target.Categories().Codes) {
		for i, pair := range pairs {
			was, is := pair[0], pair[1]
			switch now := c.now[was]; {
			case now == is, was == 0 && suppressed.Has(first+i):
			case now == absent:
				c.now[was] = is
			default:
				return composed{}, fmt.Errorf("%w: the values of %q were changed record by record after they were recoded", method.ErrInput, target.Name())
			}
		}
	}
	if c.now[0] == absent {
		c.now[0] = 0
	}
	return c, nil
}
