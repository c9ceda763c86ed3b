package touchline.api.sport;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.api.sport.Scoreboard.Pair;
import touchline.api.sport.Scoreboard.Score;
import touchline.api.sport.Scoreboard.Side;
import touchline.api.sport.SportRules.Sets;

/** Points, games and sets. */
final class SetScoring {
    private static final int LEAD = 2;
    private static final int GAME_POINTS = 4;
    private static final int TIE_BREAK_POINTS = 7;

    private SetScoring() {}

    /** A point; nothing changes when the match is over. */
    static Scoreboard scored(Scoreboard before, Side team, int points) {
        Score score = before.score();
        if (isOver(score)) {
            return before;
        }
        return rules(before).games() ? point(before, team) : rally(before, team, points);
    }

    /** The side that leads has won the set; nothing changes if neither does. */
    static Scoreboard ended(Scoreboard before) {
        Score score = before.score();
        if (isOver(score) || score.sets().isEmpty()) {
            return before;
        }
        Pair set = score.sets().getLast();
        if (set.home() == set.away()) {
            return before;
        }
        return setWon(before, set.home() > set.away() ? Side.HOME : Side.AWAY, score.serving());
    }

    static Score serving(Score score, Optional<Side> serving) {
        return new Score(
                score.home(),
                score.away(),
                score.points(),
                score.sets(),
                score.setsToWin(),
                serving,
                score.goal());
    }

    static boolean isOver(Score score) {
        return Math.max(score.home(), score.away()) >= score.setsToWin();
    }

    /** Whether the games of the current set stand at a tie-break. */
    static boolean isTieBreak(Scoreboard board) {
        Sets rules = rules(board);
        Pair games = board.score().sets().isEmpty() ? Pair.ZERO : board.score().sets().getLast();
        return rules.games()
                && !isOver(board.score())
                && games.home() == rules.target()
                && games.away() == rules.target();
    }

    private static Sets rules(Scoreboard board) {
        return board.sport().rules().sets().orElseThrow();
    }

    /** The side that wins a rally serves next (FIVB 6.1.3). */
    private static Scoreboard rally(Scoreboard before, Side team, int points) {
        Score score = before.score();
        Pair set = score.sets().getLast().plus(team, points, Scoreboard.MAX_SET_POINTS);
        Optional<Side> serving = points > 0 ? Optional.of(team) : score.serving();
        Scoreboard after = before.with(withSet(score, set, Pair.ZERO, serving));
        boolean isDeciding = score.sets().size() >= 2 * score.setsToWin() - 1;
        int target = isDeciding ? rules(before).decidingTarget() : rules(before).target();
        return points > 0 && isWon(set, team, target) ? setWon(after, team, serving) : after;
    }

    private static Scoreboard point(Scoreboard before, Side team) {
        Score score = before.score();
        boolean tieBreak = isTieBreak(before);
        Pair points = score.points().plus(team, 1, Scoreboard.MAX_SET_POINTS);
        if (isWon(points, team, tieBreak ? TIE_BREAK_POINTS : GAME_POINTS)) {
            return gameWon(before, team, tieBreak);
        }
        // ITF 5b: in a tie-break the serve changes behind the first point, then behind every two.
        boolean changes = tieBreak && (points.home() + points.away()) % 2 == 1;
        Optional<Side> serving = changes ? score.serving().map(Side::other) : score.serving();
        return before.with(withSet(score, score.sets().getLast(), points, serving));
    }

    private static Scoreboard gameWon(Scoreboard before, Side team, boolean tieBreak) {
        Score score = before.score();
        Pair games = score.sets().getLast().plus(team, 1, Scoreboard.MAX_SET_POINTS);
        int changes = (score.points().home() + score.points().away() + 1) / 2;
        // Behind a tie-break the side serves that has received first in it (ITF 5b).
        boolean isOther = !tieBreak || changes % 2 == 0;
        Optional<Side> serving = isOther ? score.serving().map(Side::other) : score.serving();
        Scoreboard after = before.with(withSet(score, games, Pair.ZERO, serving));
        return tieBreak || isWon(games, team, rules(before).target())
                ? setWon(after, team, serving)
                : after;
    }

    private static boolean isWon(Pair count, Side team, int target) {
        return count.of(team) >= target && count.of(team) - count.of(team.other()) >= LEAD;
    }

    private static Scoreboard setWon(Scoreboard before, Side team, Optional<Side> serving) {
        Score score = before.score();
        Pair won = new Pair(score.home(), score.away()).plus(team, 1, score.setsToWin());
        List<Pair> sets = new ArrayList<>(score.sets());
        if (Math.max(won.home(), won.away()) < score.setsToWin()) {
            sets.add(Pair.ZERO);
        }
        return before.with(
                        new Score(
                                won.home(),
                                won.away(),
                                Pair.ZERO,
                                sets,
                                score.setsToWin(),
                                serving,
                                score.goal()))
                .with(ScoreboardActions.fresh(before.sport().rules(), before.extras()));
    }

    private static Score withSet(Score score, Pair set, Pair points, Optional<Side> serving) {
        List<Pair> sets = new ArrayList<>(score.sets());
        sets.set(sets.size() - 1, set);
        return new Score(
                score.home(), score.away(), points, sets, score.setsToWin(), serving, score.goal());
    }
}
