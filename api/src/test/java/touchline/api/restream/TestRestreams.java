package touchline.api.restream;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.RestreamRepository;
import touchline.api.db.StreamRepository;
import touchline.api.egress.Egress;
import touchline.media.net.AddressRules;

/** Restreams of a test server, which may reach public addresses only. */
public final class TestRestreams {
    private TestRestreams() {}

    /**
     * @param folder has the master key, or gets one
     */
    public static Restreams of(
            Database database, StreamRepository streams, Path folder, InstantSource clock) {
        SecretBox box = new SecretBox(MasterKeys.load(Optional.empty(), folder));
        return new Restreams(
                database,
                streams,
                new RestreamRepository(database, SealedSecrets.ofRestreams(box)),
                new Egress(AddressRules.following(List::of)),
                clock);
    }
}
