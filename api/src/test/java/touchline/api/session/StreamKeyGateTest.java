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
import touchline.api.db.StreamRepository.KeyOwner;
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
    void lookUpThatAChangeHasOvertaken_isNotKept() {
        AdmittedKeys keys = new AdmittedKeys();
        KeyOwner owner = new KeyOwner(fixture.stream, PushRole.MAIN);
        long version = keys.version();
        keys.changed(new StreamId("str_other"));
        keys.keep("key", owner, version);
        assertEquals(Optional.empty(), keys.find("key"));

        keys.keep("key", owner, keys.version());
        keys.changed(new StreamId("str_other"));
        assertEquals(Optional.of(owner), keys.find("key"));
        keys.changed(fixture.stream.id());
        assertEquals(Optional.empty(), keys.find("key"));
    }

    @Test
    void keys_areBounded() {
        AdmittedKeys keys = new AdmittedKeys();
        KeyOwner owner = new KeyOwner(fixture.stream, PushRole.MAIN);
        for (int i = 0; i <= 4_096; i++) {
            keys.keep("key" + i, owner, 0);
        }
        assertEquals(Optional.empty(), keys.find("key0"));
        assertEquals(Optional.of(owner), keys.find("key1"));
    }

    @Test
    void encoderAtARelay_isRelayedWithoutTheDatabase_andItsOwnerDecides() throws Exception {
        admission =
                new Admission.Relay(
                        OTHER,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1935),
                        _ -> Admission.HERE);
        isOpen = false;
        assertInstanceOf(PublishDecision.Relay.class, decision());
        fixture.breakDatabase();

        assertInstanceOf(PublishDecision.Relay.class, decision());
    }
}
