package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import touchline.api.db.ScoreboardJson;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.ScoreboardAction;
import touchline.api.sport.ScoreboardActions;
import touchline.api.sport.Sport;
import touchline.api.view.SportJson;

/** Matches of each sport in actions, for the server and for the page of score links. */
public final class ScoreCases {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ScoreCases() {}

    /**
     * @param actions as sent to the API
     * @param expect values by their JSON pointers; null: nothing there
     */
    public record Case(String name, Sport sport, List<ObjectNode> actions, JsonNode expect) {
        /** The scoreboard before the match, as the API shows it. */
        public ObjectNode start() {
            return ScoreboardJson.write(before());
        }

        public ObjectNode rules() {
            return SportJson.of(sport);
        }

        private Scoreboard before() {
            return Scoreboard.of(sport, Scoreboard.DEFAULT.look(), 0);
        }

        /** The scoreboard behind the match. */
        public ObjectNode end() {
            Scoreboard board = before();
            for (ObjectNode each : actions) {
                JsonFields fields = JsonFields.of(each.deepCopy(), new Problems());
                if (!(ScoreboardActionFields.read(fields)
                        instanceof ScoreboardActionFields.Given.Act(ScoreboardAction action))) {
                    throw new AssertionError(each);
                }
                ScoreboardActions.problem(sport, action)
                        .ifPresent(
                                problem -> {
                                    throw new AssertionError(problem);
                                });
                board = ScoreboardActions.apply(board, action, each.get("at_ms").longValue());
            }
            return ScoreboardJson.write(board);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    public static List<Case> all() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        ScoreCases.class.getResourceAsStream("/touchline/api/sport/cases.json"))) {
            List<Case> cases = new ArrayList<>();
            for (JsonNode each : JSON.readTree(in)) {
                List<ObjectNode> actions = new ArrayList<>();
                add(each.get("steps"), actions);
                cases.add(
                        new Case(
                                each.get("name").textValue(),
                                Sport.of(each.get("sport").textValue()).orElseThrow(),
                                actions,
                                each.get("expect")));
            }
            return cases;
        }
    }

    private static void add(JsonNode steps, List<ObjectNode> actions) {
        for (JsonNode step : steps) {
            for (int i = 0; i < step.path("times").asInt(1); i++) {
                if (step.has("steps")) {
                    add(step.get("steps"), actions);
                } else {
                    ObjectNode action = step.deepCopy();
                    action.remove("times");
                    actions.add(action);
                }
            }
        }
    }
}
