package touchline.api.sport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.sport.Scoreboard.Extras;
import touchline.api.sport.Scoreboard.Goal;
import touchline.api.sport.Scoreboard.MatchClock;
import touchline.api.sport.Scoreboard.Pair;
import touchline.api.sport.Scoreboard.Penalty;
import touchline.api.sport.Scoreboard.Play;
import touchline.api.sport.Scoreboard.Score;
import touchline.api.sport.SportRules.Counter;

/**
 * Applies actions to a scoreboard. An action that has become pointless, such as a correction below
 * 0, changes nothing and is no error: it may have waited in a phone without network. {@code
 * score-rules.js} of the phone's page does the same; one file of cases tests both.
 */
public final class ScoreboardActions {
    private ScoreboardActions() {}

    /**
     * The scoreboard behind the action, with the same revision.
     *
     * @param action one that {@link #problem} accepts
     * @param atMs when it happened, Unix milliseconds
     */
    public static Scoreboard apply(Scoreboard before, ScoreboardAction action, long atMs) {
        return switch (action) {
            case ScoreboardAction.Score score -> scored(before, score, atMs);
            case ScoreboardAction.Clock clock -> before.with(withClock(before.play(), clock, atMs));
            case ScoreboardAction.BeginPeriod begin -> begun(before, begin.number(), atMs);
            case ScoreboardAction.Count count -> counted(before, count);
            case ScoreboardAction.Penalize penalize -> penalized(before, penalize, atMs);
            case ScoreboardAction.EndPenalty end ->
                    before.with(
                            before.extras()
                                    .withPenalties(
                                            before.extras().penalties().stream()
                                                    .filter(each -> !each.id().equals(end.id()))
                                                    .toList()));
            case ScoreboardAction.Serve serve ->
                    before.with(SetScoring.serving(before.score(), Optional.of(serve.team())));
            case ScoreboardAction.EndSet() -> SetScoring.ended(before);
        };
    }

    /** Why a sport does not have the action; empty: it has. */
    public static Optional<String> problem(Sport sport, ScoreboardAction action) {
        SportRules rules = sport.rules();
        return switch (action) {
            case ScoreboardAction.Score score -> pointsProblem(sport, score.points());
            case ScoreboardAction.Clock _, ScoreboardAction.EndPenalty _ -> Optional.empty();
            case ScoreboardAction.BeginPeriod begin ->
                    unless(rules.period(begin.number()).isPresent(), sport, "such period");
            case ScoreboardAction.Count count ->
                    unless(
                            rules.counter(count.counter()).isPresent(),
                            sport,
                            "counter \"" + count.counter() + "\"");
            case ScoreboardAction.Penalize penalize ->
                    unless(
                            rules.penaltiesMs().contains(penalize.lengthMs()),
                            sport,
                            "penalty of this length");
            case ScoreboardAction.Serve _ -> unless(rules.serving(), sport, "serving side");
            case ScoreboardAction.EndSet() -> unless(rules.sets().isPresent(), sport, "sets");
        };
    }

    private static Optional<String> unless(boolean has, Sport sport, String what) {
        return has ? Optional.empty() : Optional.of(sport.wireName() + " has no " + what);
    }

    private static Optional<String> pointsProblem(Sport sport, int points) {
        SportRules rules = sport.rules();
        if (rules.scoreSteps().contains(points)) {
            return Optional.empty();
        }
        boolean isGames = rules.sets().map(SportRules.Sets::games).orElse(false);
        if (!isGames && rules.scoreSteps().contains(-points)) {
            return Optional.empty();
        }
        return Optional.of(
                points
                        + " points (expected: one of "
                        + rules.scoreSteps()
                        + (isGames ? "; to correct, undo" : ", or the same below 0 to correct")
                        + ")");
    }

    private static Scoreboard scored(Scoreboard before, ScoreboardAction.Score action, long atMs) {
        SportRules rules = before.sport().rules();
        if (rules.sets().isPresent()) {
            return SetScoring.scored(before, action.team(), action.points());
        }
        Score score = before.score();
        Pair sum =
                new Pair(score.home(), score.away())
                        .plus(action.team(), action.points(), Scoreboard.MAX_SCORE);
        Optional<Goal> goal =
                action.points() > 0 && !rules.banner().isEmpty()
                        ? Optional.of(new Goal(action.team(), action.scorer(), atMs))
                        : score.goal();
        return before.with(
                new Score(
                        sum.home(),
                        sum.away(),
                        score.points(),
                        score.sets(),
                        score.setsToWin(),
                        score.serving(),
                        goal));
    }

    private static Play withClock(Play before, ScoreboardAction.Clock action, long atMs) {
        MatchClock clock = before.clock();
        return new Play(
                clock.changed(action.running().orElse(clock.running()), action.elapsedMs(), atMs),
                before.number(),
                before.period());
    }

    /** The clock stops at the start of the period; counters of a period are 0 again. */
    private static Scoreboard begun(Scoreboard before, int number, long atMs) {
        SportRules.Period period = before.sport().rules().period(number).orElseThrow();
        MatchClock clock =
                before.play()
                        .clock()
                        .changed(false, Optional.of(period.startsMs()), atMs)
                        .with(before.play().clock().direction(), period.lengthMs());
        return before.with(new Play(clock, number, period.name()))
                .with(fresh(before.sport().rules(), before.extras()));
    }

    /** Without the counters of a period. */
    static Extras fresh(SportRules rules, Extras extras) {
        Map<String, Integer> home = new HashMap<>(extras.home());
        Map<String, Integer> away = new HashMap<>(extras.away());
        for (Counter counter : rules.counters()) {
            if (counter.perPeriod()) {
                home.remove(counter.name());
                away.remove(counter.name());
            }
        }
        return new Extras(home, away, extras.penalties());
    }

    private static Scoreboard counted(Scoreboard before, ScoreboardAction.Count action) {
        Counter counter = before.sport().rules().counter(action.counter()).orElseThrow();
        Map<String, Integer> counters = new HashMap<>(before.extras().of(action.team()));
        int value =
                Math.clamp(
                        counters.getOrDefault(counter.name(), 0) + (long) action.by(),
                        0,
                        counter.max());
        if (value == 0) {
            counters.remove(counter.name());
        } else {
            counters.put(counter.name(), value);
        }
        return before.with(before.extras().with(action.team(), counters));
    }

    /** Penalties that have ended leave; the oldest one if there are too many. */
    private static Scoreboard penalized(
            Scoreboard before, ScoreboardAction.Penalize action, long atMs) {
        MatchClock clock = before.play().clock();
        long playedMs = clock.playedMs(Math.max(atMs, clock.atMs()));
        List<Penalty> penalties = new ArrayList<>();
        for (Penalty each : before.extras().penalties()) {
            if (each.endsPlayedMs() > playedMs && !each.id().equals(action.id())) {
                penalties.add(each);
            }
        }
        if (penalties.size() >= Scoreboard.MAX_PENALTIES) {
            penalties.removeFirst();
        }
        penalties.add(
                new Penalty(
                        action.id(),
                        action.team(),
                        action.player(),
                        action.lengthMs(),
                        playedMs + action.lengthMs()));
        return before.with(before.extras().withPenalties(penalties));
    }
}
