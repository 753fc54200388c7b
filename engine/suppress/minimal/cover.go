package minimal

// cover is the problem by clients, the keys whose records must choose: groups are facilities that serve at least k
// records or none, at a price for each record served, and every record is to be served, by a group or alone.
type cover struct {
	k       int64
	records []int64 // per client
	ceiling []int64 // per client: the price at which each of its records is served without others, or unlimited

	price  []int64 // per group
	groups lists   // the clients of each group, ascending
}

// unlimited is a ceiling above all prices.
const unlimited = int64(1) << 40

// add appends a group.
func (c *cover) add(price int64, clients []uint32) {
	c.price = append(c.price, price)
	c.groups.add(clients)
}

// parts numbers the parts of the cover, which have no group in common, by their first client, and returns the number of
// each client's, and how many there are.
func (c *cover) parts() (number []uint32, parts int) {
	root := make([]uint32, len(c.records))
	for i := range root {
		root[i] = uint32(i)
	}
	find := func(i uint32) uint32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for g := range c.price {
		clients := c.groups.of(uint32(g))
		first := find(clients[0])
		for _, i := range clients[1:] {
			i = find(i)
			root[max(i, first)], first = min(i, first), min(i, first)
		}
	}
	number = make([]uint32, len(root))
	for i := range root {
		if top := find(uint32(i)); top != uint32(i) {
			number[i] = number[top]
		} else {
			number[i] = uint32(parts)
			parts++
		}
	}
	return number, parts
}
