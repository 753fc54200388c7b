package rscript

// form is the sdcMicro equivalent of a method. Parameters that it ignores are named in a comment, unless they have
// no effect or a value with the same meaning in both.
type form struct {
	// lines of R with placeholders for parameters, such as {k}, and for values set by complete and prepare: {slot}
	// is the variable's location in the object, {ok} the records without a missing value in the masked variables.
	lines   string
	words   string                       // choices of parameters that sdcMicro has, such as method.romm=ROMM; others have no equivalent
	uses    string                       // further parameters that are taken into account, besides the variable
	prepare func(*call) (without string) // sets further arguments; returns why there is no equivalent, or ""
}

// notStratified is the reason why a step by strata has no equivalent.
const notStratified = "strataVar takes one variable that is no key variable"

// neutral has the parameter values with the same meaning in both, if they are not the defaults.
var neutral = map[string]string{"decimals": "computed", "algorithm": "sdcmicro"}

// forms has the methods of the catalog with an equivalent, by name in scripts.
var forms = map[string]form{
	"recode-intervals": {lines: "{into} <- globalRecode({object}, breaks = {breaks}, labels = {labels})",
		uses:  "count right_open include_lowest open",
		words: "method.equidistant method.logarithmic=logEqui method.quantiles=equalAmount", prepare: intervals},
	"recode-group": {lines: "{factor}{into} <- groupAndRename({object.var}, before = {levels}, after = {after}, addNA = {include_missing})",
		uses: "label", prepare: group},
	"recode-rename": {lines: "{factor}{into} <- groupAndRename({object.var}, before = {level}, after = {label})"},
	"recode-topbottom": {lines: "topBotCoding", prepare: topBottom,
		uses: "top bottom top_level bottom_level top_population bottom_population replacement top_value bottom_value"},
	"suppress-kanonymity": {lines: "strataVar(sdc) <- {stratum}\nsdc@options$alpha <- {alpha}\n" +
		"sdc <- kAnon(sdc, k = {k}, importance = {importance}, combs = {combs})", uses: "rule strata subsets", prepare: kAnonymity},
	"suppress-risk":  {lines: "sdc <- localSupp(sdc, keyVar = {variable}, threshold = {threshold})", words: "importance."},
	"suppress-cells": {lines: "sdc@manipKeyVars[{records}, {variables}] <- NA\nsdc <- calcRisks(sdc)"},
	"pram": {lines: "{factor}strataVar(sdc) <- NULL\nsdc@pram <- NULL\nstrata <- {strata}\n" +
		"if (!is.null(strata)) strata <- interaction(extractManipData(sdc)[strata], drop = TRUE)\n" +
		"sdc <- pram(sdc, variables = {variables}, pd = {pd}, alpha = {alpha}, strata_variables = strata)",
		words: "form.invariant"},
	"microaggregate": {lines: "sdc@manipNumVars[{ok}, {variables}] <- microaggregation(\n" +
		"  cbind(sdc@manipNumVars, extractManipData(sdc)[{strata}])[{ok}, ], variables = {variables}, strata_variables = {strata},\n" +
		"  method = {method}, aggr = {size}, measure = {aggregate}, trim = {trim}, varsort = {sort}, nc = {clusters},\n" +
		"  clustermethod = {cluster_by}, transf = {transform})$mx[, {variables}]",
		words: "method.mdav method.onedims method.simple method.single method.pca method.rmd method.mcdpca method.pppca method.clustpca " +
			"method.clustmcdpca method.clustpppca method.influence aggregate.mean aggregate.median aggregate.trimmed=trim " +
			"aggregate.onestep transform.default=log transform.none transform.log transform.boxcox",
		prepare: microaggregate},
	"noise": {lines: "sdc <- addNoise(sdc, variables = {variables}, noise = {percent}, method = {method}, p = {p}, delta = {delta})",
		words: "method.additive method.additive0 method.correlated method.correlated2 method.romm=ROMM method.outliers=outdect"},
	"rankswap": {lines: "share <- {p}  # of the records; rankSwap() takes percent\nsdc <- rankSwap(sdc, variables = {variables}, P = if (!is.null(share)) 100 * share, R0 = {r0}, " +
		"K0 = {k0},\n  TopPercent = {top}, BottomPercent = {bottom})"},
	"recordswap": {lines: "places <- c({hierarchy}, {carry})\nprofiles <- {similar}\nkeys <- {risk_keys}\n" +
		"if (is.null(profiles)) profiles <- list(NULL)\nif (is.null(keys)) keys <- setdiff({keys}, places)\n" +
		"swapped <- extractManipData(sdc)\nswapped$.size <- ave(rep(1, nrow(swapped)), swapped[[{hid}]], FUN = sum)\n" +
		"swapped$.record <- seq_len(nrow(swapped))\n" +
		"swapped <- as.data.frame(recordSwap(swapped, hid = {hid}, hierarchy = {hierarchy}, similar = lapply(profiles, c, \".size\"),\n" +
		"  swaprate = {rate}, k_anonymity = {k}, risk_variables = keys, carry_along = {carry}))\n" +
		"swapped <- swapped[order(swapped$.record), ]\nfor (v in places) {\n" +
		"  if (v %in% names(sdc@manipKeyVars)) sdc@manipKeyVars[[v]] <- swapped[[v]] else sdc@origData[[v]] <- swapped[[v]]\n}\n" +
		"sdc <- calcRisks(sdc)"},
	"shuffle": {lines: "# sdcMicro shuffles two or more responses\ncovariance <- {correlation}\n" +
		"if (covariance == \"default\") covariance <- if ({method} == \"ds\") \"spearman\" else \"pearson\"\n" +
		"sum_of <- function(names) paste0(\"`\", names, \"`\", collapse = \" + \")\n" +
		"if (length({responses}) > 1) sdc <- shuffle(sdc, form = as.formula(paste(sum_of({responses}), \"~\", sum_of({predictors}))),\n" +
		"  method = {method}, covmethod = covariance, regmethod = {regression}, gadp = FALSE)",
		words: "method.ds method.mvn method.mlm regression.ls=lm regression.mm=MM"},
	"generate": {lines: "x <- sdc@manipNumVars[{ok}, {variables}, drop = FALSE]\n" +
		"sdc@manipNumVars[{ok}, {variables}] <- dataGen(x, n = nrow(x))", words: "method.normal", uses: "predictors similarity"},
	"topcode-multivariate": {lines: "sdc@manipNumVars[{ok}, {variables}] <- mvTopCoding(as.matrix(" +
		"sdc@manipNumVars[{ok}, {variables}]),\n  alpha = 1 - {share})  # covMcd() searches other random subsets than sdcdesk"},
	"set-missing": {lines: "values <- {slot}\nvalues[values %in% {levels}] <- NA\n{slot} <- values\nsdc <- calcRisks(sdc)"},
	"convert": {lines: "# varToNumeric() returns the codes of a factor\n" +
		"convert <- list(category = as.factor, number = function(x) as.numeric(as.character(x)))[[{to}]]\n" +
		"{slot} <- convert({slot})\nsdc <- calcRisks(sdc)", words: "to.category to.number to.whole=number"},
	"make-stratum": {lines: "name <- {name}\nif (name == \"\") name <- paste({variables}, collapse = \"_\")\n" +
		"sdc@origData[[name]] <- generateStrata(extractManipData(sdc), {variables}, name)[[name]]"},
	"reset": {lines: "{slot} <- dat[[{variable}]]\nsdc <- calcRisks(sdc)"},
	"new-ids": {lines: "# createNewID() knows no links between variables: each gets its own random IDs\n" +
		"for (id in {variables}) sdc@origData[[id]] <- createNewID(sdc, newID = \".new\", withinVar = id)@origData[[\".new\"]]"},
	"shuffle-records": {lines: "record_order <- {members}  # see extractManipData() below", words: "members.shuffled=withinHH members.kept=byHH"},
}
