import './own.css';
import './banner.css';
import './item.css';
import './history.css';
import './switch.css';
import './enrolment.css';
import './recovery.css';
