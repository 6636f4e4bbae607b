BreducedJν0ας#Q1ΚkΕ
•Ύ