package streamed

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Keyed are the records of a table, as they come. They go through the deals of steps as those of a file do: the order
// of md5 of a secret and the text of their keys stands for that of the file, and they draw by their keys.
type Keyed struct {
	Homes []*Homes // by deal: what tells households; nil: nothing asks for it

	deals   []*Deal
	secret  string
	whole   []int32  // by group, see Plan
	rows    []uint32 // by record: where it stands after the deals
	dealt   []uint32 // the records that are dealt out; what follows is of these
	groups  []uint32
	weights []float64
	orders  [][md5.Size]byte // none where no record has its turn
	drawn   [][]uint64       // by deal; none where no record draws
	secrets []string         // by deal, see Plan
	alike   map[[md5.Size]byte]int
}

// NewKeyed begins before the first of so many records, of so many groups. Deals are those of steps in their order, all
// counted but perhaps the last. Records are alike whose keys have the same text, unless no two have.
func NewKeyed(records, groups int, deals []*Deal, secret string, unique bool) (*Keyed, error) {
	plan, err := NewPlan(groups, deals)
	if err != nil {
		return nil, err
	}
	k := &Keyed{deals: NewTrail(deals).deals, secret: secret, whole: plan.Rows, rows: make([]uint32, 0, records), secrets: plan.Draws,
		Homes: make([]*Homes, len(plan.Draws)), drawn: make([][]uint64, len(plan.Draws))}
	numbered := false
	for i, together := range plan.Together {
		if numbered = numbered || together != nil || plan.Draws[i] != ""; together != nil {
			k.Homes[i] = &Homes{Variable: together.Variable, Numeric: together.Numeric}
		}
	}
	if numbered && !unique {
		k.alike = map[[md5.Size]byte]int{}
	}
	return k, nil
}

// Whole adds the next record, where all of its group become the same; else Add is to be called.
func (k *Keyed) Whole(group uint32) bool {
	row := k.whole[group]
	k.rows = append(k.rows, uint32(row))
	return row >= 0
}

// Add adds the next record of a group, with the text of its key, the cells that tell its households by deal, nil where
// they are missing, and a weight.
func (k *Keyed) Add(group uint32, key []byte, homes [][]byte, weight float64) {
	k.dealt, k.groups = append(k.dealt, uint32(len(k.rows)-1)), append(k.groups, group)
	k.weights = append(k.weights, weight)
	if slices.Contains(k.secrets, "") {
		k.orders = append(k.orders, md5.Sum(append([]byte(k.secret), key...)))
	}
	if k.alike != nil {
		digest := md5.Sum(key)
		k.alike[digest]++
		key = strconv.AppendInt(append(slices.Clone(key), ' '), int64(k.alike[digest]), 10)
	}
	for i, secret := range k.secrets {
		of := k.Homes[i]
		switch {
		case secret == "" && of != nil:
			of.Add(homes[i])
		case secret != "" && of != nil && homes[i] != nil: // its members draw one number
			k.drawn[i] = append(k.drawn[i], draws.ByKey(secret+"household ", of.text(homes[i])))
		case secret != "":
			k.drawn[i] = append(k.drawn[i], draws.ByKey(secret, key))
		}
	}
}

// each calls visit with the records that are dealt out and stand in a row before a deal, in their order, and makes each
// the next one of a trail of the deal. Those that are alike have their turn by their number, or where they have none by
// the rows where they stand.
func (k *Keyed) each(deal int, rows []uint32, t *Trail, visit func(record int) error) error {
	order := make([]int, 0, len(rows))
	for record, row := range rows {
		if row != Left {
			order = append(order, record)
		}
	}
	if k.secrets[deal] == "" {
		slices.SortFunc(order, func(a, b int) int {
			c := bytes.Compare(k.orders[a][:], k.orders[b][:])
			if c == 0 && k.alike == nil {
				c = cmp.Compare(rows[a], rows[b])
			}
			return cmp.Or(c, cmp.Compare(a, b))
		})
	}
	next := 0
	if k.secrets[deal] != "" {
		t.draws[0] = func() uint64 { return k.drawn[deal][next] }
	}
	for _, next = range order {
		if err := visit(next); err != nil {
			return err
		}
	}
	return nil
}

// follow returns where the records that are dealt out stand after so many deals, which were counted.
func (k *Keyed) follow(deals int) ([]uint32, error) {
	rows := slices.Clone(k.groups)
	for i, deal := range k.deals[:deals] {
		trail := NewTrail([]*Deal{deal})
		err := k.each(i, rows, trail, func(record int) (err error) {
			rows[record], err = trail.Row(rows[record])
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Rows returns where all records stand after the deals, which were counted, or Left.
func (k *Keyed) Rows() ([]uint32, error) {
	rows, err := k.follow(len(k.deals))
	for i, row := range rows {
		k.rows[k.dealt[i]] = row
	}
	return k.rows, err
}

// Count counts the records by the last deal, and returns the data after it; before are those before it, weight names
// what Add had the weights of, with at most so many decimals. The error is ErrChanged.
func (k *Keyed) Count(before *microdata.Dataset, weight string, decimals int) (*microdata.Dataset, error) {
	last := len(k.deals) - 1
	deal := k.deals[last]
	rows, err := k.follow(last)
	switch {
	case err != nil:
	case deal.Sample() != nil:
		err = k.sample(last, rows)
	case deal.Together():
		err = k.find(last, rows)
	}
	if err != nil {
		return nil, err
	}
	counting := NewCounting(k.deals[:last], deal)
	counting.trail = NewTrail([]*Deal{deal})
	err = k.each(last, rows, counting.trail, func(record int) error {
		return counting.Add([]uint32{rows[record]}, k.weights[record:record+1], decimals)
	})
	if err != nil {
		return nil, err
	}
	counting.Others(before, weight, decimals)
	return counting.Data(before, weight)
}

// sample finds which number the last record, or household, draws that a sample keeps of those in a row before it.
func (k *Keyed) sample(deal int, rows []uint32) error {
	var numbers []uint64
	for record, row := range rows {
		if row != Left {
			numbers = append(numbers, k.drawn[deal][record])
		}
	}
	slices.Sort(numbers)
	if k.Homes[deal] != nil {
		numbers = slices.Compact(numbers)
	}
	last := k.deals[deal].Sample().Sample.Kept - 1
	if last < 0 || last >= len(numbers) {
		return ErrChanged
	}
	k.deals[deal].Until(numbers[last])
	return nil
}

// find finds the records that lose cells by a deal in which households have their turn.
func (k *Keyed) find(deal int, rows []uint32) error {
	homes := k.Homes[deal]
	var members, alone []member
	err := k.each(deal, rows, nil, func(record int) error {
		m := member{homes.ids[record], rows[record], uint32(len(members) + len(alone))}
		if homes.none[record] {
			alone = append(alone, m)
		} else {
			members = append(members, m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return k.deals[deal].find(members, alone)
}

// Homes tell which records form a household.
type Homes struct {
	Variable string
	Numeric  bool // it is compared as a number
	ids      [][3]uint32
	none     []bool // by record: it has none
}

// Add adds the next record, by its cell; nil: it is missing.
func (h *Homes) Add(cell []byte) {
	m := member{}
	switch {
	case cell == nil:
	case h.Numeric:
		number, _ := strconv.ParseFloat(string(cell), 64)
		m = memberNumbered(number, 0, 0)
	default:
		m = memberOf(cell, 0, 0)
	}
	h.ids, h.none = append(h.ids, m.id), append(h.none, cell == nil)
}

// text returns the text that a household has.
func (h *Homes) text(cell []byte) []byte {
	if !h.Numeric {
		return cell
	}
	number, _ := strconv.ParseFloat(string(cell), 64)
	if number == math.Trunc(number) && math.Abs(number) < 1<<63 {
		return strconv.AppendInt(nil, int64(number), 10)
	}
	return strconv.AppendFloat(nil, number, 'g', -1, 64)
}

// Households returns the households of all records, by the rows where they stand after steps, which stand for so many
// records. The error is ErrChanged.
func (h *Homes) Households(rows []uint32, multiplicity []int) (*microdata.Households, error) {
	var members []member
	for record, row := range rows {
		if row != Left && !h.none[record] {
			members = append(members, member{h.ids[record], row, uint32(record)})
		}
	}
	return householdsOf(members, multiplicity)
}
