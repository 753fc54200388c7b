package microaggregation

import (
	"context"
	"errors"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// clustered clusters the records and sorts those of each cluster by its principal component, or by its most
// influential variable.
func (w *work) clustered(ctx context.Context, values [][]float64) (p grouping, err error) {
	transform := w.Transform
	if transform == Default {
		transform = Logarithm
	}
	c, err := newClusters(ctx, values, w.Clusters, w.Size, w.ClusterBy, transform)
	if err != nil {
		return p, err
	}
	p.clusterless = c.dissolved
	var g groups
	for k, members := range c.members {
		some := numeric.Picked(values, members)
		var order []uint32
		if w.Method == Influence {
			order = stat.Order(some[c.influential(k)])
		} else {
			order, err = byComponent(ctx, some, w.Method)
			if errors.Is(err, method.ErrInput) {
				p.notRobust++
				order, err = byComponent(ctx, some, PCA)
			}
			if err != nil {
				return p, err
			}
		}
		g.append(consecutive(order, w.Size), members)
	}
	p.groups = []groups{g}
	return p, ctx.Err()
}

// clusters partitions the records by distances on standardised variables, usually logarithms.
type clusters struct {
	logs      [][]float64
	of        []int // cluster by record
	centers   [][]float64
	members   [][]uint32
	dissolved int
}

// rounds limits the iterations of k-means.
const rounds = 100

// newClusters partitions the records into up to count clusters of at least size records, by a clustering algorithm
// and a transformation. The initial centres of k-means and c-means are the means of equal parts of the records in
// the order of their first principal component, so the result is deterministic.
func newClusters(ctx context.Context, values [][]float64, count, size int, how, transform string) (*clusters,
	error) {
	logs, err := transformed(ctx, values, transform)
	if err != nil {
		return nil, err
	}
	c := &clusters{logs: stat.Standardised(logs), of: make([]int, len(values[0]))}
	order, err := byComponent(ctx, logs, PCA)
	if err != nil {
		return nil, err
	}
	count = max(1, min(count, len(order)/size))
	for i, record := range order {
		c.of[record] = i * count / len(order)
	}
	c.center(count)
	switch how {
	case PAM, CLARA:
		err = c.around(ctx, count, how)
	case CMeans:
		err = c.fuzzy(ctx)
	default:
		err = c.means(ctx, count)
	}
	if err != nil {
		return nil, err
	}
	c.center(count)
	c.dissolve(size)
	return c, nil
}

// means runs k-means until no record changes its cluster.
func (c *clusters) means(ctx context.Context, count int) error {
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !c.assign() {
			break
		}
		c.center(count)
	}
	return nil
}

// center computes the centres of the clusters; those of empty ones are nil.
func (c *clusters) center(count int) {
	c.centers, c.members = make([][]float64, count), make([][]uint32, count)
	for record, k := range c.of {
		c.members[k] = append(c.members[k], uint32(record))
	}
	for k, members := range c.members {
		if len(members) == 0 {
			continue
		}
		c.centers[k] = make([]float64, len(c.logs))
		for j, values := range c.logs {
			sum := 0.0
			for _, record := range members {
				sum += values[record]
			}
			c.centers[k][j] = sum / float64(len(members))
		}
	}
}

// assign assigns each record to its nearest centre and reports whether any assignment changed.
func (c *clusters) assign() bool {
	moved := false
	for record := range c.of {
		if k := c.nearest(record); k != c.of[record] {
			c.of[record], moved = k, true
		}
	}
	return moved
}

// nearest returns the cluster with the nearest centre to a record.
func (c *clusters) nearest(record int) int {
	best, found := math.Inf(1), 0
	for k, center := range c.centers {
		if center == nil {
			continue
		}
		if sum := c.squared(record, k); sum < best {
			best, found = sum, k
		}
	}
	return found
}

// dissolve reassigns the records of clusters with fewer than size records to the nearest other cluster, smallest
// first, and drops empty clusters.
func (c *clusters) dissolve(size int) {
	for {
		smallest := -1
		for k, members := range c.members {
			if n := len(members); n > 0 && n < size && (smallest < 0 || n < len(c.members[smallest])) {
				smallest = k
			}
		}
		if smallest < 0 {
			break
		}
		c.centers[smallest] = nil
		for _, record := range c.members[smallest] {
			c.of[record] = c.nearest(int(record))
		}
		c.dissolved++
		c.center(len(c.centers))
	}
	var members [][]uint32
	var centers [][]float64
	for k := range c.members {
		if len(c.members[k]) > 0 {
			members, centers = append(members, c.members[k]), append(centers, c.centers[k])
		}
	}
	c.members, c.centers = members, centers
}

// influential returns the variable in which the centre of a cluster differs most from that of all records.
func (c *clusters) influential(k int) int {
	best := 0
	for j, x := range c.centers[k] {
		if math.Abs(x) > math.Abs(c.centers[k][best]) {
			best = j
		}
	}
	return best
}
