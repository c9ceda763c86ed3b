package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.db.AdmittedKeys;
import touchline.api.db.ClusterChanges;
import touchline.api.db.DatabaseException;
import touchline.api.db.Epoch;
import touchline.api.domain.PublishTerms;
import touchline.api.domain.PushRole;
import touchline.ingest.PublishDecision;
import touchline.media.StreamId;

/** Stream keys while the database does not answer. */
final class StreamKeyGateTest {
    private static final NodeRef OTHER = new NodeRef("node-b", 3);

    @TempDir private Path folder;
    private SupervisorFixture fixture;
    private StreamAdmission.DatabaseState database = StreamAdmission.DatabaseState.ANSWERS;
    private Admission admission = Admission.HERE;
    private Optional<PublishTerms> active = Optional.empty();
    private boolean isOpen = true;
    private boolean isRefused;
    private StreamKeyGate gate;

    /** As the test wants. */
    private final class FakeAdmission implements StreamAdmission {
        @Override
        public Admission admit(StreamId stream) {
            return admission;
        }

        @Override
        public DatabaseState database() {
            return database;
        }

        @Override
        public Optional<PublishTerms> activeKey(String streamKey) {
            return active.filter(_ -> streamKey.equals(fixture.stream.streamKey()));
        }

        @Override
        public Epoch epoch(StreamId stream) {
            return Epoch.ALONE;
        }
    }

    @BeforeEach
    void open() {
        fixture = new SupervisorFixture(folder);
        gate =
                new StreamKeyGate(
                        fixture.streams,
                        _ -> isRefused,
                        _ -> isOpen,
                        new AudioRules(Set.of()),
                        new FakeAdmission(),
                        (_, _) -> {});
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private PublishDecision decision() {
        return gate.decide(fixture.stream.streamKey());
    }

    private void assertNotKnown() {
        assertThrows(DatabaseException.class, this::decision);
    }

    @Test
    void keyOfARunningSession_isAdmittedWithoutTheDatabase() throws Exception {
        assertInstanceOf(PublishDecision.Main.class, decision());
        fixture.breakDatabase();

        assertInstanceOf(PublishDecision.Main.class, decision());
        database = StreamAdmission.DatabaseState.AWAY;
        assertInstanceOf(PublishDecision.Main.class, decision());
    }

    @Test
    void keyWithoutASession_isNotAdmittedWithoutTheDatabase() throws Exception {
        assertInstanceOf(PublishDecision.Main.class, decision());
        fixture.breakDatabase();
        isOpen = false;

        assertNotKnown();
        database = StreamAdmission.DatabaseState.AWAY;
        assertNotKnown();
    }

    @Test
    void keyThatWasNeverAdmittedHere_isNotAdmittedWithoutTheDatabase() throws Exception {
        fixture.breakDatabase();

        assertNotKnown();
    }

    @Test
    void key_whileOthersMayHaveTheDatabase_isNotAdmittedFromMemory() throws Exception {
        assertInstanceOf(PublishDecision.Main.class, decision());
        fixture.breakDatabase();
        database = StreamAdmission.DatabaseState.MISSED;

        assertNotKnown();
    }

    @Test
    void keyOfAStreamThatWasDisabled_isNotAdmittedFromMemory() throws Exception {
        assertInstanceOf(PublishDecision.Main.class, decision());
        fixture.streams.setDisabled(fixture.stream.id(), true);
        fixture.breakDatabase();

        assertNotKnown();
    }

    @Test
    void keyOfAStreamWhoseDisablingIsNotStored_isNotAdmittedFromMemory() throws Exception {
        assertInstanceOf(PublishDecision.Main.class, decision());
        isRefused = true;
        fixture.breakDatabase();

        assertNotKnown();
    }

    @Test
    void keyOfAStreamThatChanged_hereOrElsewhere_isNotAdmittedFromMemory() throws Exception {
        for (ClusterChanges.Kind kind :
                List.of(
                        ClusterChanges.Kind.STREAM,
                        ClusterChanges.Kind.STREAM_KEY,
                        ClusterChanges.Kind.BACKUP_KEY,
                        ClusterChanges.Kind.COMPLETED)) {
            assertInstanceOf(PublishDecision.Main.class, decision());
            fixture.database.changes().record(kind, fixture.stream.id().value());
            fixture.breakDatabase();
            assertNotKnown();
            fixture.mendDatabase();
        }
        assertInstanceOf(PublishDecision.Main.class, decision());
        fixture.streams.admitted().changed(fixture.stream.id());
        fixture.breakDatabase();
        assertNotKnown();
    }

    @Test
    void keyOfAStreamThatIsActiveElsewhere_isRelayedWithoutTheDatabase_thoughNeverSeenHere()
            throws Exception {
        active = Optional.of(terms());
        admission = relay();
        isOpen = false;
        fixture.breakDatabase();

        assertInstanceOf(PublishDecision.Relay.class, decision());
        database = StreamAdmission.DatabaseState.AWAY;
        assertInstanceOf(PublishDecision.Relay.class, decision());
        assertInstanceOf(PublishDecision.Refused.class, gate.decide("another-key"));
        database = StreamAdmission.DatabaseState.MISSED;
        assertNotKnown();
        database = StreamAdmission.DatabaseState.AWAY;
        isRefused = true;
        assertNotKnown();
    }

    @Test
    void relayedEncoderOfASessionHere_isAdmittedWithoutTheDatabase_thoughItsKeyIsOnlyActive()
            throws Exception {
        active = Optional.of(terms());
        fixture.breakDatabase();

        assertEquals(
                new PublishDecision.Main(fixture.stream.id(), terms().reconnectWindow()),
                gate.decideRelayed(fixture.stream.streamKey()));
        isOpen = false;
        assertThrows(DatabaseException.class, () -> gate.decideRelayed(fixture.stream.streamKey()));
    }

    private PublishTerms terms() {
        return PublishTerms.of(fixture.stream, PushRole.MAIN);
    }

    private static Admission relay() {
        return new Admission.Relay(
                OTHER,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1935),
                _ -> Admission.HERE);
    }

    @Test
    void lookUpThatAChangeHasOvertaken_isNotKept() {
        AdmittedKeys keys = new AdmittedKeys(key -> "hash of " + key);
        PublishTerms owner = terms();
        long version = keys.version();
        keys.changed(new StreamId("str_other"));
        keys.keep("key", owner, version);
        assertEquals(Optional.empty(), keys.find("key"));

        keys.keep("key", owner, keys.version());
        keys.changed(new StreamId("str_other"));
        assertEquals(Optional.of(owner), keys.find("key"));
        keys.changed(fixture.stream.id());
        assertEquals(Optional.empty(), keys.find("key"));

        keys.keep("key", owner, keys.version());
        long before = keys.version();
        keys.clear();
        assertEquals(Optional.empty(), keys.find("key"));
        keys.keep("key", owner, before);
        assertEquals(Optional.empty(), keys.find("key"));
    }

    @Test
    void keys_areBounded() {
        AdmittedKeys keys = new AdmittedKeys(key -> "hash of " + key);
        PublishTerms owner = terms();
        for (int i = 0; i <= 4_096; i++) {
            keys.keep("key" + i, owner, 0);
        }
        assertEquals(Optional.empty(), keys.find("key0"));
        assertEquals(Optional.of(owner), keys.find("key1"));
    }

    @Test
    void encoderAtARelay_isRelayedWithoutTheDatabase_andItsOwnerDecides() throws Exception {
        admission = relay();
        isOpen = false;
        assertInstanceOf(PublishDecision.Relay.class, decision());
        fixture.breakDatabase();

        assertInstanceOf(PublishDecision.Relay.class, decision());
    }
}
