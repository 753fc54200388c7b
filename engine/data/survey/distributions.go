package survey

// country holds the distributions of persons and households.
type country struct {
	region                           table
	urban                            map[string]float64 // by region: share of urban households
	baseWeight                       map[string]float64 // by region: persons represented by a respondent
	size                             table
	roof, poorRoof, walls, poorWalls table
	urbanWater, ruralWater           table
	ethnic, religion                 table
	education, betterEducation       table
	occupation                       table
	incomeFactor                     map[string]float64
	youngHealth, olderHealth         table
	relations, marital               [100]table // by age
}

func newCountry() *country {
	c := &country{}
	c.geography()
	c.dwelling()
	c.people()
	for age := range c.relations {
		c.relations[age], c.marital[age] = relation(age), maritalStatus(age)
	}
	return c
}

func (c *country) geography() {
	c.region = newTable(share{"Arden", 24}, share{"Brisk", 19}, share{"Corvale", 16}, share{"Dunmere", 13},
		share{"Eastmark", 11}, share{"Farrow", 9}, share{"Glenhold", 5}, share{"Hollow Isles", 3})
	c.urban = map[string]float64{"Arden": .82, "Brisk": .63, "Corvale": .48, "Dunmere": .41,
		"Eastmark": .37, "Farrow": .28, "Glenhold": .22, "Hollow Isles": .12}
	c.baseWeight = map[string]float64{"Arden": 410, "Brisk": 360, "Corvale": 300, "Dunmere": 260,
		"Eastmark": 220, "Farrow": 180, "Glenhold": 120, "Hollow Isles": 60}
}

func (c *country) dwelling() {
	c.size = newTable(share{"1", 14}, share{"2", 20}, share{"3", 18}, share{"4", 19}, share{"5", 12}, share{"6", 8},
		share{"7", 4.5}, share{"8", 2.3}, share{"9", 1.3}, share{"10", .6}, share{"12", .3})
	c.roof = newTable(share{"tile", 38}, share{"metal", 34}, share{"concrete", 17}, share{"thatch", 8}, share{"other", 3})
	c.poorRoof = newTable(share{"metal", 40}, share{"thatch", 45}, share{"tile", 10}, share{"other", 5})
	c.walls = newTable(share{"brick", 55}, share{"wood", 33}, share{"earth", 12})
	c.poorWalls = newTable(share{"earth", 40}, share{"wood", 40}, share{"brick", 20})
	c.urbanWater = newTable(share{"piped inside", 66}, share{"piped yard", 20}, share{"public tap", 7},
		share{"borehole", 3},
		share{"protected well", 2}, share{"vendor", 1.4}, share{"rainwater", .4}, share{"surface", .2})
	c.ruralWater = newTable(share{"piped inside", 17}, share{"piped yard", 18}, share{"public tap", 17},
		share{"borehole", 21},
		share{"protected well", 17}, share{"vendor", 1}, share{"rainwater", 4}, share{"surface", 5})
}

func (c *country) people() {
	c.ethnic = newTable(share{"Meri", 71}, share{"Tolan", 15}, share{"Ossik", 8}, share{"Veyra", 4}, share{"Kesh", 1.4},
		share{"other", .6})
	c.religion = newTable(share{"A", 62}, share{"B", 21}, share{"C", 9}, share{"none", 7}, share{"other", 1})
	c.education = newTable(share{"none", 8}, share{"primary", 31}, share{"lower secondary", 27},
		share{"upper secondary", 20},
		share{"vocational", 8}, share{"tertiary", 6})
	c.betterEducation = newTable(share{"none", 3}, share{"primary", 18}, share{"lower secondary", 25},
		share{"upper secondary", 29},
		share{"vocational", 11}, share{"tertiary", 14})
	c.occupation = newTable(share{"not working", 26}, share{"student", 9}, share{"farm", 18}, share{"elementary", 12},
		share{"trades", 11}, share{"services", 12}, share{"clerical", 5}, share{"professional", 4}, share{"manager", 2},
		share{"armed forces", .5}, share{"retired", .5})
	c.incomeFactor = map[string]float64{"not working": .05, "student": .08, "farm": .55, "elementary": .6, "trades": .95,
		"services": .85, "clerical": 1.2, "professional": 2.1, "manager": 3.2, "armed forces": 1.3, "retired": .6, "": .8}
	c.youngHealth = newTable(share{"none", 90}, share{"chronic", 7}, share{"disability", 3})
	c.olderHealth = newTable(share{"none", 62}, share{"chronic", 29}, share{"disability", 9})
}

// relation returns the distribution of the relationships to a head of this age.
func relation(headAge int) table {
	return newTable(share{"child", pick(headAge >= 62, 30, 70)}, share{"grandchild", pick(headAge >= 50, 28, 3)},
		share{"parent", pick(headAge >= 60, 2, 7)}, share{"sibling", 6}, share{"child-in-law", 4},
		share{"other relative", 8}, share{"domestic worker", .7}, share{"not related", 1.6})
}

// maritalStatus returns the distribution of marital status at an age.
func maritalStatus(age int) table {
	return newTable(share{"single", pick(age < 28, 88, 34)}, share{"married", pick(age < 20, 6, 26)},
		share{"widowed", pick(age < 40, .2, pick(age < 62, 6, 38))}, share{"divorced", pick(age < 22, .3, 9)},
		share{"separated", pick(age < 22, .2, 4)})
}

func pick(condition bool, then, otherwise float64) float64 {
	if condition {
		return then
	}
	return otherwise
}
