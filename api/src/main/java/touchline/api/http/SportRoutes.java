package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import touchline.api.sport.Sport;
import touchline.api.view.SportJson;

/** {@code /live/v1/sports}: the sports that scoreboards know. Open, as the document is. */
final class SportRoutes {
    private static final String SPORTS = "/live/v1/sports";

    List<ApiRoute> routes() {
        return List.of(ApiRoute.open(Method.GET, SPORTS, _ -> list()));
    }

    private static ApiReply list() {
        ObjectNode data = Json.object();
        ArrayNode sports = data.putArray("sports");
        for (Sport sport : Sport.values()) {
            sports.add(SportJson.of(sport));
        }
        return ApiReply.ok(data);
    }
}
