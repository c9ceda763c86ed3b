package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.api.sport.Sport;

/** What the actions of a match make of the scoreboard of each sport. */
final class ScoreCasesTest {
    static List<ScoreCases.Case> cases() throws IOException {
        return ScoreCases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void match_ofASport_endsAsItsRulesSay(ScoreCases.Case match) {
        JsonNode end = match.end();

        for (Map.Entry<String, JsonNode> each : match.expect().properties()) {
            JsonNode found = end.at(each.getKey());
            if (each.getValue().isNull()) {
                assertTrue(found.isMissingNode() || found.isNull(), each.getKey() + ": " + found);
            } else {
                assertEquals(each.getValue().toString(), found.toString(), each.getKey());
            }
        }
    }

    @Test
    void cases_haveEverySport() throws IOException {
        for (Sport sport : Sport.values()) {
            assertTrue(cases().stream().anyMatch(each -> each.sport() == sport), sport.wireName());
        }
    }
}
