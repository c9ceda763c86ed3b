package touchline.api.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import touchline.api.sport.Sport;
import touchline.api.sport.SportRules;

/** The rules of a sport as JSON, for the API and for pages that draw its scoreboard. */
public final class SportJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SportJson() {}

    public static ObjectNode of(Sport sport) {
        SportRules rules = sport.rules();
        ObjectNode json = JSON.createObjectNode();
        json.put("sport", sport.wireName());
        json.put("name", rules.name());
        json.put("direction", rules.direction().name().toLowerCase(Locale.ROOT));
        json.put("tenths_below_ms", rules.tenthsBelowMs());
        ArrayNode steps = json.putArray("score_steps");
        rules.scoreSteps().forEach(steps::add);
        ArrayNode periods = json.putArray("periods");
        rules.periods().forEach(period -> periods.add(period(period)));
        json.set("overtime", rules.overtime().map(SportJson::period).orElse(null));
        json.set("sets", rules.sets().map(SportJson::sets).orElse(null));
        ArrayNode counters = json.putArray("counters");
        for (SportRules.Counter counter : rules.counters()) {
            counters.addObject()
                    .put("name", counter.name())
                    .put("label", counter.label())
                    .put("max", counter.max())
                    .put("per_period", counter.perPeriod())
                    .put("bonus_from", counter.bonusFrom());
        }
        ArrayNode penalties = json.putArray("penalties_ms");
        rules.penaltiesMs().forEach(penalties::add);
        json.put("serving", rules.serving());
        json.put("banner", rules.banner());
        return json;
    }

    private static ObjectNode period(SportRules.Period period) {
        return JSON.createObjectNode()
                .put("name", period.name())
                .put("starts_ms", period.startsMs())
                .put("length_ms", period.lengthMs());
    }

    private static ObjectNode sets(SportRules.Sets sets) {
        return JSON.createObjectNode()
                .put("target", sets.target())
                .put("deciding_target", sets.decidingTarget())
                .put("to_win", sets.toWin())
                .put("games", sets.games());
    }
}
