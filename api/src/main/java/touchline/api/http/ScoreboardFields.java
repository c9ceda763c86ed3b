package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import touchline.api.db.ScoreboardJson;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.Scoreboard.Extras;
import touchline.api.sport.Scoreboard.Look;
import touchline.api.sport.Scoreboard.MatchClock;
import touchline.api.sport.Scoreboard.Pair;
import touchline.api.sport.Scoreboard.Play;
import touchline.api.sport.Scoreboard.Score;
import touchline.api.sport.Scoreboard.Side;
import touchline.api.sport.Scoreboard.Team;
import touchline.api.sport.Sport;
import touchline.api.sport.SportRules;
import touchline.api.sport.SportRules.Counter;
import touchline.api.sport.SportRules.Direction;
import touchline.api.sport.SportRules.Sets;

/**
 * Reads the body of a change of a bundled scoreboard. An absent field keeps its value. Another
 * sport begins a new match: score, clock, period and counters are those of its start, unless the
 * body has them. Any thread.
 */
final class ScoreboardFields {
    private static final String SPORT = "sport";
    private static final String HOME = "home";
    private static final String AWAY = "away";
    private static final String CLOCK = "clock";
    private static final String SETS = "sets";
    private static final int MAX_NAME_BYTES = 64;
    private static final int MAX_SHORT_BYTES = 12;
    private static final int MAX_ID_BYTES = 64;
    private static final int MAX_CLOCK_MS = 24 * 3_600_000;
    private static final Pattern COLOR = Pattern.compile("#[0-9a-fA-F]{6}");

    /** The calls that change what this one does not. */
    private static final Map<String, String> CHANGED_BY =
            Map.of(
                    "goal", "POST " + ScoreboardRoutes.ACTIONS,
                    "penalties", "POST " + ScoreboardRoutes.ACTIONS);

    private final Predicate<String> imageExists;
    private final InstantSource clock;

    /**
     * @param imageExists whether the server has an image of this id
     */
    ScoreboardFields(Predicate<String> imageExists, InstantSource clock) {
        this.imageExists = imageExists;
        this.clock = clock;
    }

    /**
     * The scoreboard behind the change.
     *
     * @throws ApiException 40002: nothing may be stored
     */
    Scoreboard changed(JsonFields body, Scoreboard before) {
        Scoreboard changed = merged(body, before);
        ObjectNode shown = ScoreboardJson.write(before);
        body.refuseChanges(shown, CHANGED_BY);
        for (String name : List.of(HOME, AWAY, CLOCK)) {
            if (body.hasValue(name)) {
                body.object(name)
                        .ifPresent(it -> it.refuseChanges((ObjectNode) shown.get(name), Map.of()));
            }
        }
        body.problems().throwIfAny();
        return changed;
    }

    private Scoreboard merged(JsonFields body, Scoreboard before) {
        Sport sport =
                body.orDefault(
                                SPORT,
                                Scoreboard.DEFAULT.sport(),
                                name ->
                                        body.constant(
                                                name, Sport::of, Sport.values(), Sport::wireName))
                        .orElse(before.sport());
        Scoreboard base =
                sport == before.sport()
                        ? before
                        : Scoreboard.of(sport, before.look(), before.revision());
        Optional<JsonFields> home = team(body, HOME);
        Optional<JsonFields> away = team(body, AWAY);
        Scoreboard looked = base.with(look(body, home, away, base.look()));
        Scoreboard scored = looked.with(score(body, home, away, looked));
        Scoreboard played = scored.with(play(body, scored));
        return played.with(
                new Extras(
                        counters(body, HOME, home, played, Side.HOME),
                        counters(body, AWAY, away, played, Side.AWAY),
                        isTakenBack(body, "penalties") ? List.of() : played.extras().penalties()));
    }

    /** Whether a field is null that this call changes in no other way. */
    private static boolean isTakenBack(JsonFields body, String name) {
        return body.ahead().takesBack(name) && body.takesBack(name);
    }

    /** The body's object of a team; null is read by {@link JsonFields#takesBack}. */
    private static Optional<JsonFields> team(JsonFields body, String name) {
        return body.takesBack(name) ? Optional.empty() : body.object(name);
    }

    private Look look(
            JsonFields body, Optional<JsonFields> home, Optional<JsonFields> away, Look before) {
        Look defaults = Scoreboard.DEFAULT.look();
        return new Look(
                body.orDefault("visible", defaults.visible(), body::flag).orElse(before.visible()),
                team(body, HOME, home, before.home(), defaults.home()),
                team(body, AWAY, away, before.away(), defaults.away()),
                body.merged(
                        "sponsor_image_id", before.sponsorImageId(), name -> image(body, name)));
    }

    private Team team(
            JsonFields body, String name, Optional<JsonFields> given, Team before, Team defaults) {
        if (body.takesBack(name)) {
            return defaults;
        }
        return given.map(fields -> team(fields, before, defaults)).orElse(before);
    }

    private Team team(JsonFields fields, Team before, Team defaults) {
        return new Team(
                text(fields, "name", MAX_NAME_BYTES, defaults.name()).orElse(before.name()),
                text(fields, "short_name", MAX_SHORT_BYTES, defaults.shortName())
                        .orElse(before.shortName()),
                fields.orDefault("color", defaults.color(), name -> color(fields, name))
                        .orElse(before.color()),
                fields.merged("logo_image_id", before.logoImageId(), name -> image(fields, name)));
    }

    private static Optional<String> text(
            JsonFields fields, String name, int maxBytes, String standard) {
        return fields.orDefault(name, standard, it -> fields.text(it, maxBytes));
    }

    private static Optional<String> color(JsonFields fields, String name) {
        Optional<String> color = fields.text(name, MAX_SHORT_BYTES);
        if (color.isPresent() && !COLOR.matcher(color.get()).matches()) {
            fields.problems().invalid(fields.pathOf(name), "expected: #rrggbb");
        }
        return color;
    }

    private Optional<String> image(JsonFields fields, String name) {
        Optional<String> id = fields.text(name, MAX_ID_BYTES);
        if (id.isPresent() && !imageExists.test(id.get())) {
            fields.problems()
                    .invalid(
                            fields.pathOf(name),
                            "no such image (upload it by POST " + ImageRoutes.IMAGES + ")");
            return Optional.empty();
        }
        return id;
    }

    private static Score score(
            JsonFields body,
            Optional<JsonFields> home,
            Optional<JsonFields> away,
            Scoreboard before) {
        Optional<Sets> rules = before.sport().rules().sets();
        Score score = before.score();
        int toWin =
                rules.isEmpty()
                        ? score.setsToWin()
                        : body.orDefault(
                                        "sets_to_win",
                                        rules.get().toWin(),
                                        name -> body.whole(name, 1, Sets.MAX_TO_WIN))
                                .orElse(score.setsToWin());
        int most = rules.isEmpty() ? Scoreboard.MAX_SCORE : toWin;
        int homeScore = count(body, HOME, home, score.home(), most);
        int awayScore = count(body, AWAY, away, score.away(), most);
        List<Pair> sets = sets(body, before.sport(), score.sets(), 2 * toWin - 1);
        Optional<Side> serving =
                body.merged("serving", score.serving(), name -> serving(body, name, before));
        return new Score(
                homeScore,
                awayScore,
                body.takesBack(SETS) ? Pair.ZERO : score.points(),
                sets,
                toWin,
                serving,
                score.goal());
    }

    private static int count(
            JsonFields body, String name, Optional<JsonFields> team, int before, int most) {
        if (body.takesBack(name)) {
            return 0;
        }
        return team.flatMap(fields -> fields.orDefault("score", 0, it -> fields.whole(it, 0, most)))
                .orElse(before);
    }

    private static List<Pair> sets(JsonFields body, Sport sport, List<Pair> before, int most) {
        if (body.takesBack(SETS)) {
            return before.isEmpty() ? before : List.of(Pair.ZERO);
        }
        if (!body.has(SETS)) {
            return before;
        }
        List<JsonFields> given = body.objects(SETS);
        boolean hasSets = sport.rules().sets().isPresent();
        if (hasSets ? given.isEmpty() || given.size() > most : !given.isEmpty()) {
            body.problems()
                    .invalid(
                            SETS,
                            hasSets
                                    ? given.size() + " sets (expected: 1 to " + most + ")"
                                    : sport.wireName() + " has no sets");
            return before;
        }
        List<Pair> sets = new ArrayList<>();
        for (JsonFields set : given) {
            set.require(HOME);
            set.require(AWAY);
            sets.add(
                    new Pair(
                            set.integer(HOME, 0, Scoreboard.MAX_SET_POINTS).orElse(0),
                            set.integer(AWAY, 0, Scoreboard.MAX_SET_POINTS).orElse(0)));
        }
        return sets;
    }

    private static Optional<Side> serving(JsonFields body, String name, Scoreboard before) {
        Optional<Side> side = side(body, name);
        if (side.isPresent() && !before.sport().rules().serving()) {
            body.problems().invalid(name, before.sport().wireName() + " has no serving side");
        }
        return side;
    }

    /** A side by its wire name. */
    static Optional<Side> side(JsonFields body, String name) {
        return body.constant(
                name,
                text ->
                        Stream.of(Side.values())
                                .filter(s -> s.name().toLowerCase(Locale.ROOT).equals(text))
                                .findFirst(),
                Side.values(),
                JsonFields::spelled);
    }

    private Play play(JsonFields body, Scoreboard before) {
        SportRules rules = before.sport().rules();
        Play play = before.play();
        Optional<Integer> number =
                body.orDefault(
                        "period_number", 0, name -> body.whole(name, 0, SportRules.MAX_PERIODS));
        int present = number.orElse(play.number());
        Optional<SportRules.Period> period = rules.period(present);
        if (number.isPresent() && present > 0 && period.isEmpty()) {
            body.problems()
                    .invalid("period_number", before.sport().wireName() + " has no such period");
        }
        String named =
                present == play.number()
                        ? play.period()
                        : period.map(SportRules.Period::name).orElse("");
        return new Play(
                body.orDefault(
                                CLOCK,
                                Scoreboard.of(before.sport(), before.look(), 0)
                                        .play()
                                        .clock()
                                        .changed(false, Optional.empty(), clock.millis()),
                                name -> body.object(name).map(it -> clock(it, before)))
                        .orElse(play.clock()),
                present,
                body.orDefault("period", "", name -> body.text(name, MAX_NAME_BYTES))
                        .orElse(named));
    }

    /** Starts or stops the clock at its current value, or sets a given time. */
    private MatchClock clock(JsonFields fields, Scoreboard before) {
        MatchClock clockBefore = before.play().clock();
        MatchClock standard = Scoreboard.of(before.sport(), before.look(), 0).play().clock();
        Optional<Long> elapsed = fields.orDefault("elapsed_ms", 0L, name -> clockMs(fields, name));
        return clockBefore
                .with(
                        fields.orDefault(
                                        "direction",
                                        standard.direction(),
                                        name -> direction(fields, name))
                                .orElse(clockBefore.direction()),
                        fields.orDefault(
                                        "period_ms",
                                        standard.periodMs(),
                                        name -> clockMs(fields, name))
                                .orElse(clockBefore.periodMs()))
                .changed(
                        fields.orDefault("running", false, fields::flag)
                                .orElse(clockBefore.running()),
                        elapsed,
                        clock.millis());
    }

    private static Optional<Direction> direction(JsonFields fields, String name) {
        return fields.constant(
                name,
                text ->
                        Stream.of(Direction.values())
                                .filter(d -> d.name().toLowerCase(Locale.ROOT).equals(text))
                                .findFirst(),
                Direction.values(),
                JsonFields::spelled);
    }

    /** A time of the clock. */
    static Optional<Long> clockMs(JsonFields fields, String name) {
        return fields.integer(name, 0, MAX_CLOCK_MS).stream().mapToObj(ms -> (long) ms).findFirst();
    }

    private static Map<String, Integer> counters(
            JsonFields body, String name, Optional<JsonFields> team, Scoreboard before, Side side) {
        Map<String, Integer> counters = new HashMap<>(before.extras().of(side));
        if (body.takesBack(name) || team.map(it -> it.takesBack("counters")).orElse(false)) {
            return Map.of();
        }
        Optional<JsonFields> given = team.flatMap(it -> it.object("counters"));
        if (given.isEmpty()) {
            return counters;
        }
        for (String counterName : given.get().names()) {
            Optional<Counter> counter = before.sport().rules().counter(counterName);
            if (counter.isEmpty()) {
                given.get()
                        .problems()
                        .invalid(
                                given.get().pathOf(counterName),
                                before.sport().wireName() + " has no such counter");
                continue;
            }
            given.get()
                    .orDefault(counterName, 0, it -> given.get().whole(it, 0, counter.get().max()))
                    .ifPresent(value -> set(counters, counterName, value));
        }
        return counters;
    }

    private static void set(Map<String, Integer> counters, String name, int value) {
        if (value == 0) {
            counters.remove(name);
        } else {
            counters.put(name, value);
        }
    }
}
