package minimal

// cover is the relaxed problem. Its clients are the keys whose records must choose, its facilities the groups. A
// group serves no record or at least k, at a price per record; every record must be served by a group or by
// itself.
type cover struct {
	k       int64
	records []int64 // per client
	parts   int64   // units per unit of price in which multipliers are counted

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
