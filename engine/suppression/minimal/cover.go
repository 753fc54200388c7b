package minimal

// cover is the problem by clients, the keys whose records must choose: groups are facilities that serve at least k
// records or none, at a price for each record served, and every record is to be served, by a group or alone.
type cover struct {
	k       int64
	records []int64 // per client
	parts   int64   // of a price, in which multipliers are counted

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
