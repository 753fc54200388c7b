package survey

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// household holds the values that its members share.
type household struct {
	region, urbrur                  string
	size                            int
	roof, walls, water, electricity string
	ethnic, religion                string
	wealth, expend, savings, weight float64
	headAge                         int
	headMale, couple                bool
}

// drawHousehold draws a household with at most `most` members.
func (c *country) drawHousehold(random *rand.Rand, most int) household {
	h := household{region: c.region.draw(random), urbrur: "rural"}
	urban := chance(random, c.urban[h.region])
	h.wealth = float64(random.NormFloat64()) - .25
	if urban {
		h.urbrur = "urban"
		h.wealth += .7
	}
	size, _ := strconv.Atoi(c.size.draw(random))
	h.size = min(size, most)
	c.drawDwelling(random, &h, urban)
	h.ethnic, h.religion = c.ethnic.draw(random), c.religion.draw(random)
	h.weight = round(c.baseWeight[h.region]*pick(urban, 1.15, .9)*(.8+float64(.45*random.Float64())), 1)
	h.headAge = min(99, max(18, int(normal(random, 44, 15.5))))
	h.couple = h.size > 1 && chance(random, .78)
	h.expend = round(max(120, pick(urban, 2900, 1900)*math.Exp(float64(.55*h.wealth)+float64(.35*random.NormFloat64()))),
		2)
	if !chance(random, .34) {
		h.savings = round(math.Exp(7.2+float64(.6*h.wealth)+float64(1.25*random.NormFloat64())), 2)
	}
	h.headMale = chance(random, .71)
	return h
}

func (c *country) drawDwelling(random *rand.Rand, h *household, urban bool) {
	roof, walls, water := &c.roof, &c.walls, &c.ruralWater
	if h.wealth <= -.8 {
		roof = &c.poorRoof
	}
	if h.wealth <= -.6 {
		walls = &c.poorWalls
	}
	if urban {
		water = &c.urbanWater
	}
	h.roof, h.walls, h.water = roof.draw(random), walls.draw(random), water.draw(random)
	h.electricity = "no"
	if chance(random, pick(urban, .97, pick(h.wealth > 0, .82, .58))) {
		h.electricity = "yes"
	}
}

// normal draws from a normal distribution. The product is rounded before the sum, so that machines with fused
// multiply-add give the same result.
func normal(random *rand.Rand, mean, deviation float64) float64 {
	return mean + float64(deviation*random.NormFloat64())
}

func round(x float64, decimals int) float64 {
	power := math.Pow10(decimals)
	return math.Round(float64(x*power)) / power
}
