package touchline.api.sport;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.api.sport.SportRules.Counter;
import touchline.api.sport.SportRules.Direction;
import touchline.api.sport.SportRules.Period;
import touchline.api.sport.SportRules.Sets;

/**
 * The sports that the bundled scoreboard knows, as one table. Lengths are those of the adults'
 * rules of the international federations; a scoreboard may have others.
 */
public enum Sport {
    /** IFAB Laws of the Game, 7 and 10. */
    FOOTBALL(
            new SportRules(
                    "Football",
                    Direction.UP,
                    0,
                    List.of(1),
                    List.of(
                            minutes("1st half", 0, 45),
                            minutes("2nd half", 45, 45),
                            minutes("Extra time 1", 90, 15),
                            minutes("Extra time 2", 105, 15),
                            minutes("Penalties", 120, 0)),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(new Counter("red_cards", "Red cards", 5, false, 0)),
                    List.of(),
                    false,
                    "GOAL")),
    /** FIBA Official Basketball Rules, 8, 18 and 41. */
    BASKETBALL(
            new SportRules(
                    "Basketball",
                    Direction.DOWN,
                    60_000,
                    List.of(1, 2, 3),
                    List.of(
                            minutes("Q1", 0, 10),
                            minutes("Q2", 0, 10),
                            minutes("Q3", 0, 10),
                            minutes("Q4", 0, 10)),
                    Optional.of(minutes("OT", 0, 5)),
                    Optional.empty(),
                    List.of(
                            new Counter("fouls", "Fouls", 20, true, 5),
                            new Counter("timeouts", "Timeouts", 7, false, 0)),
                    List.of(),
                    false,
                    "")),
    /** IHF Rules of the Game, 2 and 16. */
    HANDBALL(
            new SportRules(
                    "Handball",
                    Direction.UP,
                    0,
                    List.of(1),
                    List.of(
                            minutes("1st half", 0, 30),
                            minutes("2nd half", 30, 30),
                            minutes("Overtime 1", 60, 5),
                            minutes("Overtime 2", 65, 5),
                            minutes("Overtime 3", 70, 5),
                            minutes("Overtime 4", 75, 5),
                            minutes("7 m throws", 80, 0)),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(new Counter("timeouts", "Timeouts", 3, false, 0)),
                    List.of(120_000L),
                    false,
                    "")),
    /** FIVB Official Volleyball Rules, 6 and 15. */
    VOLLEYBALL(
            new SportRules(
                    "Volleyball",
                    Direction.NONE,
                    0,
                    List.of(1),
                    List.of(),
                    Optional.empty(),
                    Optional.of(new Sets(25, 15, 3, false)),
                    List.of(new Counter("timeouts", "Timeouts", 2, true, 0)),
                    List.of(),
                    true,
                    "")),
    /** ITF Rules of Tennis, 5, 6 and 7. */
    TENNIS(
            new SportRules(
                    "Tennis",
                    Direction.NONE,
                    0,
                    List.of(1),
                    List.of(),
                    Optional.empty(),
                    Optional.of(new Sets(6, 6, 2, true)),
                    List.of(),
                    List.of(),
                    true,
                    "")),
    /** IIHF Official Rule Book: three periods of 20 minutes, penalties of 2, 5 and 10. */
    ICE_HOCKEY(
            new SportRules(
                    "Ice hockey",
                    Direction.DOWN,
                    60_000,
                    List.of(1),
                    List.of(
                            minutes("1st period", 0, 20),
                            minutes("2nd period", 0, 20),
                            minutes("3rd period", 0, 20)),
                    Optional.of(minutes("Overtime", 0, 5)),
                    Optional.empty(),
                    List.of(new Counter("timeouts", "Timeouts", 1, false, 0)),
                    List.of(120_000L, 300_000L, 600_000L),
                    false,
                    "GOAL")),
    /** Anything with two sides and a count. */
    GENERIC(
            new SportRules(
                    "Other",
                    Direction.UP,
                    0,
                    List.of(1, 2, 3),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    false,
                    ""));

    /** A record that copies its lists. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final SportRules rules;

    Sport(SportRules rules) {
        this.rules = rules;
    }

    public SportRules rules() {
        return rules;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Sport> of(String wireName) {
        for (Sport sport : values()) {
            if (sport.wireName().equals(wireName)) {
                return Optional.of(sport);
            }
        }
        return Optional.empty();
    }

    private static Period minutes(String name, int starts, int length) {
        return new Period(name, starts * 60_000L, length * 60_000L);
    }
}
