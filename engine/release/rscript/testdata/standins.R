# Functions with the names and the documented results of those of sdcMicro that give the same result every time, for
# tests of scripts where sdcMicro is not installed. They know no risk.
library <- function(...) NULL
setClass("standin", representation(origData = "data.frame", manipKeyVars = "data.frame", manipNumVars = "data.frame",
  options = "list", strata = "ANY", pram = "ANY"))
createSdcObj <- function(dat, keyVars, numVars = NULL, ghostVars = NULL, weightVar = NULL, hhId = NULL, strataVar = NULL,
                         excludeVars = NULL, alpha = 1) {
  stopifnot(all(c(keyVars, numVars, unlist(ghostVars), weightVar, hhId, strataVar, excludeVars) %in% names(dat)))
  new("standin", origData = dat[setdiff(names(dat), excludeVars)], manipKeyVars = dat[keyVars], manipNumVars = dat[as.character(numVars)],
    options = list(alpha = alpha), strata = strataVar)
}
calcRisks <- identity
freq <- function(sdc, type) numeric(0)
`strataVar<-` <- function(object, value) {
  stopifnot(length(value) < 2)
  object@strata <- value
  object
}
setMethod("print", "standin", function(x, type) invisible(x))
extractManipData <- function(obj, randomizeRecords = "no") {
  out <- obj@origData
  out[names(obj@manipKeyVars)] <- obj@manipKeyVars
  out[names(obj@manipNumVars)] <- obj@manipNumVars
  out
}
# on applies f to a variable: x itself, or a variable of the object.
on <- function(x, variable, f) {
  if (!is(x, "standin")) return(f(x))
  part <- if (variable %in% names(x@manipKeyVars)) "manipKeyVars" else "manipNumVars"
  slot(x, part)[[variable]] <- f(slot(x, part)[[variable]])
  x
}
globalRecode <- function(obj, column = NULL, breaks, labels = NULL, method = "equidistant") on(obj, column, function(x) {
  if (is.factor(x)) x <- as.numeric(as.character(x))
  if (length(breaks) == 1 && method == "equalAmount") breaks <- unique(round(quantile(x, (0:breaks) / breaks, na.rm = TRUE)))
  cut(x, breaks = breaks, labels = labels, dig.lab = 8)
})
groupAndRename <- function(obj, var = NULL, before, after, addNA = FALSE) on(obj, var, function(x) {
  stopifnot(is.factor(x), all(before %in% levels(x)))
  levels(x)[levels(x) %in% before] <- after
  if (addNA) x[is.na(x)] <- after
  x
})
topBotCoding <- function(obj, column = NULL, value, replacement, kind = "top") on(obj, column, function(x) {
  stopifnot(is.numeric(x))
  x[if (kind == "top") which(x > value) else which(x < value)] <- replacement
  x
})
# compatible returns the number of records compatible with each record, those with missing values times alpha.
compatible <- function(x, alpha) {
  counted <- as.integer(factor(do.call(paste, as.data.frame(x))))
  complete <- rowSums(is.na(x)) == 0
  sizes <- tabulate(counted)
  patterns <- which(!duplicated(counted))
  f <- numeric(length(patterns))
  for (p in seq_along(patterns)) {
    i <- patterns[p]
    same <- rep(TRUE, length(patterns))
    for (j in seq_len(ncol(x))) if (!is.na(x[i, j])) same <- same & (is.na(x[patterns, j]) | x[patterns, j] == x[i, j])
    same[ncol(x) > 1 & complete[i] & rowSums(!is.na(x[patterns, , drop = FALSE])) == 0] <- FALSE
    own <- patterns == i
    f[p] <- sizes[counted[i]] + sum(ifelse(complete[patterns], 1, alpha)[same & !own] * sizes[counted[patterns]][same & !own])
    if (all(is.na(x[i, ]))) f[p] <- nrow(x)
  }
  f[match(counted, counted[patterns])]
}
suppressOrder <- function(x, k, order, alpha) {
  part <- do.call(paste, x)
  play <- ave(seq_len(nrow(x)), part, FUN = seq_along) <= k
  m <- sapply(x, function(v) if (is.factor(v)) as.integer(v) else as.numeric(v))[play, , drop = FALSE]
  repeat {
    f <- compatible(m, alpha)
    bad <- which(f < k)
    if (length(bad) == 0) break
    for (i in bad[order(f[bad])]) {
      differs <- t(t(m) != m[i, ])
      differs[is.na(differs)] <- FALSE
      d <- rowSums(differs)
      stopifnot(any(d > 0))
      nearest <- differs[d == min(d[d > 0]), , drop = FALSE]
      m[i, order[which(colSums(nearest)[order] > 0)[1]]] <- NA
    }
  }
  for (j in seq_along(x)) x[[j]][which(play)[is.na(m[, j])]] <- NA
  x
}
kAnon <- function(obj, k = 2, importance = NULL, combs = NULL) {
  stopifnot(is.null(combs))
  x <- obj@manipKeyVars
  if (is.null(importance)) importance <- rank(sapply(x, function(v) length(table(v))), ties.method = "first")
  first <- order(importance, decreasing = TRUE)
  strata <- if (is.null(obj@strata)) rep(1, nrow(x)) else obj@origData[[obj@strata]]
  for (s in unique(strata)) x[strata == s, ] <- suppressOrder(x[strata == s, ], k, first, obj@options$alpha)
  obj@manipKeyVars <- x
  obj
}
mdav <- function(x, g) {
  z <- scale(x, center = FALSE, scale = apply(x, 2, sd))
  left <- seq_len(nrow(x))
  away <- function(centre, of) signif(colSums((t(z[of, , drop = FALSE]) - centre)^2), 12) # ties stay ties
  take <- function(r) {
    of <- left[order(away(z[r, ], left), -left)[seq_len(g)]] # of equal records those of the highest numbers
    left <<- setdiff(left, of)
    of
  }
  mean_of <- function(of) x[of, ] <<- rep(colMeans(x[of, , drop = FALSE]), each = length(of))
  while (length(left) >= 2 * g) {
    n <- length(left)
    r <- left[which.max(away(colMeans(z[left, , drop = FALSE]), left))]
    s <- left[which.max(away(z[r, ], left))]
    groups <- list(take(r))
    if (n >= 3 * g) groups[[2]] <- take(s)
    for (of in groups) mean_of(of)
  }
  if (length(left) > 0) mean_of(left)
  x
}
microaggregation <- function(obj, variables, strata_variables = NULL, method, aggr, measure = "mean", trim = 0, varsort = 1, nc, clustermethod,
                             transf) {
  f <- list(mean = colMeans, median = function(y) apply(y, 2, median))[[measure]]
  consecutive <- function(x, sorted) {
    group <- pmin((seq_along(sorted) - 1) %/% aggr, max(1, length(sorted) %/% aggr) - 1)
    for (of in split(sorted, group)) x[of, ] <- rep(f(x[of, , drop = FALSE]), each = length(of))
    x
  }
  one <- function(x) switch(method, mdav = mdav(x, aggr), simple = consecutive(x, seq_len(nrow(x))),
    single = consecutive(x, order(x[, varsort])), pca = consecutive(x, order({
      p <- prcomp(scale(x)); p$x[, 1] * sign(p$rotation[1, 1]) })),
    onedims = sapply(colnames(x), function(v) consecutive(x[, v, drop = FALSE], order(x[, v]))))
  x <- as.matrix(obj[variables])
  strata <- if (is.null(strata_variables)) rep(1, nrow(x)) else do.call(paste, obj[strata_variables])
  for (s in unique(strata)) x[strata == s, ] <- one(x[strata == s, , drop = FALSE])
  list(mx = as.data.frame(x))
}
