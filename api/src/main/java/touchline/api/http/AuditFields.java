package touchline.api.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SequencedMap;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.AuditSettings.OnReject;
import touchline.moderation.AlertType;
import touchline.moderation.Moderation;

/** Reads {@code audit_settings} and compares them with the installed models. Any thread. */
final class AuditFields {
    static final String NAME = "audit_settings";

    private static final String DOCS = "docs/models.md";

    private final Moderation moderation;

    AuditFields(Moderation moderation) {
        this.moderation = moderation;
    }

    /** The settings, or empty if a problem of {@code fields} was reported. */
    Optional<AuditSettings> read(JsonFields fields) {
        fields.require("frame_interval");
        fields.require("models");
        OptionalInt interval =
                fields.integer("frame_interval", 1, AuditSettings.MAX_FRAME_INTERVAL_SECONDS);
        OptionalInt samples = fields.integer("samples", 1, AuditSettings.MAX_SAMPLES);
        SequencedMap<String, Double> thresholds =
                fields.object("models").map(this::thresholds).orElseGet(LinkedHashMap::new);
        OnReject onReject =
                fields.constant("on_reject", OnReject::of, OnReject.values(), OnReject::wireName)
                        .orElse(OnReject.NONE);
        boolean gate = fields.flag("gate").orElse(false);
        if (interval.isEmpty() || thresholds.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new AuditSettings(
                        interval.getAsInt(), samples.orElse(1), thresholds, onReject, gate));
    }

    private SequencedMap<String, Double> thresholds(JsonFields fields) {
        LinkedHashMap<String, Double> thresholds = new LinkedHashMap<>();
        for (String name : fields.names()) {
            if (AlertType.of(name).isEmpty()) {
                fields.problems()
                        .invalid(fields.pathOf(name), "unknown model (expected: nude, weapon)");
                continue;
            }
            OptionalDouble threshold = fields.number(name, 0, 1);
            threshold.ifPresent(value -> thresholds.put(name, value));
        }
        if (fields.names().isEmpty()) {
            fields.problems().invalid(fields.path(), "no model (expected: nude, weapon or both)");
        }
        return thresholds;
    }

    /**
     * Warnings for requested types without a model.
     *
     * @throws ApiException 40901 if such settings request a gate: it would never open
     */
    List<String> warnings(AuditSettings settings) {
        List<String> warnings = new ArrayList<>();
        for (String type : settings.models().keySet()) {
            if (!AlertType.of(type).map(moderation::serves).orElse(false)) {
                warnings.add("no model serves the alert type " + type + " (see " + DOCS + ")");
            }
        }
        if (settings.gate() && !warnings.isEmpty()) {
            throw ApiException.wrongState(
                    "gate: true needs a model for every asked type: "
                            + warnings.getFirst()
                            + "; install one, or leave the type or the gate out");
        }
        return warnings;
    }
}
