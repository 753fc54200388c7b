package survey

import (
	"math"
	"math/rand/v2"
)

// person holds the values of a record apart from those of its household.
type person struct {
	relation, sex                  string
	age                            int
	marital, education, occupation string
	ethnic, health                 string
	income                         float64 // NaN if missing
}

// drawPerson draws member number pid, from 1, of a household.
func (c *country) drawPerson(random *rand.Rand, h *household, pid int) person {
	p := person{relation: c.drawRelation(random, h, pid), ethnic: h.ethnic, income: math.NaN()}
	p.age = drawAge(random, p.relation, h.headAge)
	p.sex = drawSex(random, p.relation, h.headMale)
	if p.age >= 12 {
		p.marital = c.drawMarital(random, h, &p)
	}
	if p.age >= 5 {
		p.education = c.drawEducation(random, h.wealth, p.age)
	}
	if p.age >= 15 {
		p.occupation = c.drawOccupation(random, p.age)
		p.income = c.drawIncome(random, h.wealth, p.occupation)
	}
	health := &c.olderHealth
	if p.age < 45 {
		health = &c.youngHealth
	}
	p.health = health.draw(random)
	if !chance(random, 1-.015) {
		p.ethnic = c.ethnic.draw(random)
	}
	return p
}

func (c *country) drawRelation(random *rand.Rand, h *household, pid int) string {
	switch {
	case pid == 1:
		return "head"
	case pid == 2 && h.couple:
		return "spouse"
	default:
		return c.relations[h.headAge].draw(random)
	}
}

func drawAge(random *rand.Rand, relation string, head int) int {
	within := func(low, high, age int) int { return max(low, min(high, age)) }
	switch relation {
	case "head":
		return head
	case "spouse":
		return within(17, 97, head+int(normal(random, -2, 4)))
	case "child":
		return within(0, 70, head-18-int(9*random.ExpFloat64()))
	case "child-in-law":
		return within(17, 70, head-18-int(9*random.ExpFloat64()))
	case "grandchild":
		return within(0, 40, head-40-int(6*random.ExpFloat64()))
	case "parent":
		return min(99, head+18+int(7*random.ExpFloat64()))
	case "sibling":
		return within(1, 95, head+int(normal(random, 0, 8)))
	default:
		return within(0, 95, int(normal(random, 30, 18)))
	}
}

func drawSex(random *rand.Rand, relation string, headMale bool) string {
	male := chance(random, .5)
	switch relation {
	case "head":
		male = headMale
	case "spouse":
		male = !headMale
	}
	if male {
		return "male"
	}
	return "female"
}

func (c *country) drawMarital(random *rand.Rand, h *household, p *person) string {
	if p.relation == "spouse" || p.relation == "head" && h.couple {
		return "married"
	}
	return c.marital[p.age].draw(random)
}

func (c *country) drawEducation(random *rand.Rand, wealth float64, age int) string {
	education := ""
	switch {
	case age < 12 && chance(random, .8):
		education = "primary"
	case age < 12:
		education = "none"
	case wealth < .6:
		education = c.education.draw(random)
	default:
		education = c.betterEducation.draw(random)
	}
	if chance(random, .012) {
		return "" // not answered
	}
	return education
}

func (c *country) drawOccupation(random *rand.Rand, age int) string {
	occupation := ""
	switch {
	case age < 22 && chance(random, .6):
		occupation = "student"
	case age > 66 && chance(random, .7):
		occupation = "retired"
	default:
		occupation = c.occupation.draw(random)
	}
	if chance(random, .015) {
		return ""
	}
	return occupation
}

func (c *country) drawIncome(random *rand.Rand, wealth float64, occupation string) float64 {
	income := 0.0
	idle := occupation == "not working" || occupation == "student"
	if !idle || !chance(random, .8) {
		income = 9200 * c.incomeFactor[occupation] * math.Exp(float64(.4*wealth)+float64(.55*random.NormFloat64()))
	}
	if chance(random, .0015) {
		income *= 8 + float64(17*random.Float64())
	}
	if chance(random, .02) {
		return math.NaN()
	}
	return round(income, 2)
}
